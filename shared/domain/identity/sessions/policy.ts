import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { Session } from './session.ts';
import { findSession, isOpen } from './store.ts';

/** 404 for what is no open session of the caller: users do not see the sessions of others. */
export async function requireSession({ table, caller, now }: CallerContext, id: string): Promise<Session> {
  const session = await findSession(table, caller.user.id, id);
  if (!isOpen(session, now)) throw recordNotFound();
  return session;
}
