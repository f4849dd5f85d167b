import type { Caller } from '#shared/domain/identity/caller.ts';
import { requireAdmin, requireOwner } from '#shared/domain/identity/users/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keyOf } from '#shared/table/keys.ts';
import { type Write, when } from '#shared/table/table.ts';

/** 404 for any account but the caller's own: whether others exist is nobody's business. */
export function requireOwnAccount({ account }: Caller, id: string): void {
  if (id !== account.id) throw recordNotFound();
}

/** 404 for any other account; 403 for everyone except admins. */
export function requireAccountAdmin(caller: Caller, id: string): void {
  requireOwnAccount(caller, id);
  requireAdmin(caller);
}

/** 404 for any other account; 403 for everyone except owners. */
export function requireAccountOwner(caller: Caller, id: string): void {
  requireOwnAccount(caller, id);
  requireOwner(caller);
}

/** For the transaction of what only owners do: 403 for one who is made something else meanwhile. */
export const stillOwner = ({ user }: Caller): Write => ({
  check: keyOf(user),
  when: when<User>({ role: 'owner', status: 'active' }),
  otherwise: () => new ApiError('permission_denied'),
});
