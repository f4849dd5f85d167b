import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import type { Session } from './session.ts';
import { findSession, isOpen } from './store.ts';

/** 403 for a refresh cookie that came with a request of a page elsewhere. */
export function requireOwnPage(own: boolean): void {
  if (own) return;
  throw new ApiError('permission_denied', {
    message: 'The refresh cookie is read on requests from pages of the service only.',
  });
}

/** 404 for what is no open session of the caller: users do not see the sessions of others. */
export async function requireSession({ table, caller, now }: CallerContext, id: string): Promise<Session> {
  const session = await findSession(table, caller.user.id, id);
  if (!isOpen(session, now)) throw recordNotFound();
  return session;
}
