import { randomBytes } from 'node:crypto';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { hashSecret } from '#shared/domain/identity/credentials/secret.ts';
import { keys } from '#shared/table/keys.ts';
import type { SocketTicket } from './socket-ticket.ts';

/** Milliseconds in which it opens a socket. */
const LIFETIME = 60_000;

const newText = () => `wst_${randomBytes(32).toString('base64url')}`;

/** A ticket of the caller, and its text, which is stored nowhere. `credential_hash` is that of the request's credential. */
export async function createTicket(
  { table, caller, now }: CallerContext,
  credential_hash: string,
): Promise<{ ticket: SocketTicket; text: string }> {
  const text = newText();
  const { kind, id } = caller.credential;
  const ends = now.getTime() + LIFETIME;
  const ticket: SocketTicket = {
    ...keys.socketTicket(hashSecret(text)),
    account_id: caller.account.id,
    user_id: caller.user.id,
    // An access token is replaced every few minutes: what counts is its session.
    credential: { kind, id, ...(kind === 'api_key' ? { hash: credential_hash } : {}) },
    expires_at: new Date(ends).toISOString(),
    expires_epoch: Math.ceil(ends / 1_000),
  };
  await table.put(ticket);
  return { ticket, text };
}
