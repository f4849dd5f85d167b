import { randomBytes } from 'node:crypto';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { isInUse } from '#shared/domain/identity/users/addresses.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, type Item, type Table, when } from '#shared/table/table.ts';
import { newWaitlistee } from './store.ts';
import type { Waitlistee } from './waitlistee.ts';

/** Signup tokens: with one, an invited address opens an account. Only the hash is stored. */

const PREFIX = 'wsk_signup_';
const DAY = 24 * 3_600_000;
export const DAYS = 14;

/** Under the hash of its token. */
export type SignupInvitation = Item & {
  email_address: string;
  /** Milliseconds. */
  expires_at_ms: number;
  /** For cleaning up only. */
  expires_epoch: number;
};

interface Issued {
  token: string;
  expires_at: Date;
}

/** Whoever joined may come back when the account is closed. */
export const hasJoined = async (table: Table, { status, email_address }: Waitlistee): Promise<boolean> =>
  status === 'joined' && (await isInUse(table, email_address));

/**
 * A token for an address, on the waitlist or not; the one before works no more. Undefined for an address that has joined.
 */
export function inviteToSignUp(table: Table, email_address: string, now: Date): Promise<Issued | undefined> {
  return retryOnConflict(async () => {
    const key = keys.waitlistee(email_address);
    const before = await table.get<Waitlistee>(key);
    if (before && (await hasJoined(table, before))) return undefined;
    const token = PREFIX + randomBytes(24).toString('base64url');
    const token_hash = hashSecret(token);
    const expires_at_ms = now.getTime() + DAYS * DAY;
    const invitation: SignupInvitation = {
      ...keys.signupInvitation(token_hash),
      email_address,
      expires_at_ms,
      expires_epoch: Math.ceil(expires_at_ms / 1_000),
    };
    const after: Waitlistee = {
      ...(before ?? newWaitlistee({ email_address }, now)),
      ...{ status: 'invited', invited_at: now.toISOString(), token_hash },
    };
    const unread = { status: asRead(before?.status), token_hash: asRead(before?.token_hash) };
    await table.transact([
      { put: after, when: when<Waitlistee>(unread) },
      { put: invitation },
      ...(before?.token_hash ? [{ delete: keys.signupInvitation(before.token_hash) }] : []),
    ]);
    return { token, expires_at: new Date(expires_at_ms) };
  });
}
