import * as z from 'zod';
import type { SignInConfig } from '#shared/config.ts';
import { derived, given, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** Examples that no scanner of secrets takes for one. */
export const shownAccessToken = 'wsk_session_Qm3xT7hVb2LrK9pW...';
export const shownRefreshToken = 'wsk_refresh_AZjA3gAAcACAAAAA...';

const sessions = resource('Session', {
  id: given(uuid),
  user_id: given(uuid),
  account_id: given(uuid),
  access_token: derived(z.string().meta({ example: shownAccessToken }).nullable()),
  token_type: derived(z.literal('Bearer')),
  expires_in: derived(z.int().meta({ example: 900 })),
  refresh_token: derived(z.string().meta({ example: shownRefreshToken }).nullable()),
  user_agent: given(z.string().meta({ example: 'Mozilla/5.0 (X11; Linux x86_64)' }).nullable()),
  ip_address: given(z.string().meta({ example: '192.0.2.7' }).nullable()),
  last_used_at: derived(timestamp.nullable()),
  expires_at: given(timestamp.nullable()),
  current: derived(z.boolean()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/**
 * A session as stored: what came of one sign-in, and the family of its refresh tokens (docs/decisions/0059-sessions.md).
 * Its id is that of its access tokens, too.
 */
export type Session = Item &
  StoredFields<typeof sessions.fields> & {
    /** From when on it is not refreshed any more; missing when `expires_at` is its end anyway. */
    ends_at?: string;
    /** How often it was refreshed. */
    generation: number;
    /** The digests of the secret of its refresh tokens, and of the newest one; missing when it has none. */
    family_hash?: string;
    token_hash?: string;
    /** The key of its newest access token. */
    access_hash: string;
    ended_at?: string;
    ended_by?: 'user' | 'theft' | 'service';
  };

/** docs/specification/sign-in.md, "Sessions". */
export const sessionSchema = sessions.response;

/** The secrets of a session, shown once, and the seconds that each works. */
export interface Tokens {
  access_token: string;
  expires_in: number;
  refresh_token: string;
  refresh_seconds: number;
}

/** A session that has just begun. The refresh token is shown to clients that keep no cookie. */
export function presentOpened(
  { session, tokens }: { session: Session; tokens: Tokens },
  token_delivery: 'cookie' | 'body',
): z.infer<typeof sessionSchema> {
  const { access_token, expires_in, refresh_token } = tokens;
  return sessions.present(session, {
    access_token,
    token_type: 'Bearer',
    expires_in,
    refresh_token: token_delivery === 'body' ? refresh_token : null,
    last_used_at: null,
    current: true,
  });
}

export interface UsedSession {
  session: Session;
  last_used_at: string | null;
}

/** A session without its tokens; `current` is the id of the one that asks. */
export function presentListed(
  { session, last_used_at }: UsedSession,
  current: string,
  { access_token_seconds }: Pick<SignInConfig, 'access_token_seconds'>,
): z.infer<typeof sessionSchema> {
  return sessions.present(session, {
    access_token: null,
    token_type: 'Bearer',
    expires_in: access_token_seconds,
    refresh_token: null,
    last_used_at,
    current: session.id === current,
  });
}
