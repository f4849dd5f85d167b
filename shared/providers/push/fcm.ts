import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';
import { KEPT_SECONDS, type PushService } from '#shared/domain/collaboration/notifications/push/service.ts';
import type { Message } from '#shared/domain/collaboration/notifications/sending/message.ts';
import { failureOf } from './outcome.ts';

/** Firebase Cloud Messaging, HTTP v1: https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages */

/** The JSON of a service account, of which only this is read. */
export const googleKeys = z.object({
  project_id: z.string(),
  client_email: z.string(),
  private_key: z.string(),
  token_uri: z.url().default('https://oauth2.googleapis.com/token'),
  url: z.url().default('https://fcm.googleapis.com'),
});

type GoogleKeys = z.output<typeof googleKeys>;

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
/** Milliseconds before its end at which a token is replaced. */
const MARGIN = 60_000;

const granted = z.object({ access_token: z.string(), expires_in: z.number() });

/** `errorCode` is FCM's own; a bad token is an invalid argument at `message.token`. */
const failed = z.object({
  error: z.object({
    status: z.string().optional(),
    details: z
      .array(
        z.looseObject({
          errorCode: z.string().optional(),
          fieldViolations: z.array(z.looseObject({ field: z.string().optional() })).optional(),
        }),
      )
      .optional(),
  }),
});

function bodyOf(token: string, { title, body, ...data }: Message): string {
  const tag = data.notification_id;
  const android = { ttl: `${KEPT_SECONDS}s`, collapse_key: tag, notification: { tag } };
  return JSON.stringify({ message: { token, notification: { title, body }, data, android } });
}

function judge(status: number, text: unknown): 'gone' | Error {
  const { data } = failed.safeParse(text);
  const details = data?.error.details ?? [];
  const code = details.find(({ errorCode }) => errorCode)?.errorCode ?? data?.error.status ?? '';
  const violations = details.flatMap(({ fieldViolations = [] }) => fieldViolations.map(({ field }) => field));
  if (code === 'UNREGISTERED' || violations.includes('message.token')) return 'gone';
  return failureOf('FCM', status, code);
}

/** https://developers.google.com/identity/protocols/oauth2/service-account#httprest */
async function accessToken(keys: GoogleKeys, now: number, signal: AbortSignal) {
  const assertion = await new SignJWT({ scope: SCOPE })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer(keys.client_email)
    .setAudience(keys.token_uri)
    .setIssuedAt(Math.floor(now / 1_000))
    .setExpirationTime(Math.floor(now / 1_000) + 3_600)
    .sign(await importPKCS8(keys.private_key, 'RS256'));
  const body = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion });
  const response = await fetch(keys.token_uri, { method: 'POST', body, redirect: 'error', signal });
  if (!response.ok) throw new Error(`Google's token endpoint: HTTP ${response.status}`);
  const { access_token, expires_in } = granted.parse(await response.json());
  return { access_token, until: now + expires_in * 1_000 - MARGIN };
}

export function googlePush(keys: GoogleKeys, clock: () => number = Date.now): PushService {
  let held: ReturnType<typeof accessToken> | undefined;
  const bearer = async (signal: AbortSignal): Promise<string> => {
    const known = await held?.catch(() => undefined);
    if (known && clock() < known.until) return known.access_token;
    held = accessToken(keys, clock(), signal);
    return (await held).access_token;
  };
  const url = `${keys.url.replace(/\/$/, '')}/v1/projects/${encodeURIComponent(keys.project_id)}/messages:send`;
  return {
    async send(token, message, signal) {
      const headers = {
        Authorization: `Bearer ${await bearer(signal)}`,
        'Content-Type': 'application/json',
      };
      const body = bodyOf(token, message);
      const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
      const text = await response.json().catch(() => undefined);
      if (response.ok) return 'sent';
      if (response.status === 401) {
        held = undefined;
        throw new Error('FCM: HTTP 401');
      }
      const outcome = judge(response.status, text);
      if (outcome === 'gone') return outcome;
      throw outcome;
    },
  };
}
