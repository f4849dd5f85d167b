import type { Table } from '#shared/table/table.ts';
import { endSession } from './end.ts';
import { readRefreshToken } from './refresh-token.ts';
import { isFamily } from './refusal.ts';
import type { Session } from './session.ts';
import { findSession } from './store.ts';

/** Ends the session of a leaked refresh token, old or new, and returns it; undefined for what was never issued. */
export async function endLeaked(table: Table, secret: string, now: Date): Promise<Session | undefined> {
  const token = readRefreshToken(secret);
  if (!token) return undefined;
  const session = await findSession(table, token.user_id, token.session_id);
  if (!session || !isFamily(session, token)) return undefined;
  await endSession(table, session, 'service', now);
  return session;
}
