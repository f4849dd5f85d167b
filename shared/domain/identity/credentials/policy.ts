import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import type { ApiKey } from './api-key.ts';
import { findApiKey } from './store.ts';

/** The user whose keys the caller sees; undefined for an admin, who sees the keys of all users. */
export function keysSeenBy({ user }: Caller): string | undefined {
  return isAdmin(user) ? undefined : user.id;
}

/** 403 for a tier that the account does not allow. */
export function requireIssuable({ account }: Pick<Caller, 'account'>, tier: ApiKey['tier']): void {
  if (account.api_access === 'disabled') throw new ApiError('api_access_disabled');
  if (account.api_access === 'read_only' && tier === 'read_write') throw new ApiError('api_access_read_only');
}

/**
 * A key that the caller may revoke. 404 when the account has no such key; 403 for another user's key, except for
 * admins.
 */
export async function requireRevocable({ table, caller }: CallerContext, id: string): Promise<ApiKey> {
  const key = await findApiKey(table, caller.account.id, id);
  if (!key) throw recordNotFound();
  if (key.user_id !== caller.user.id && !isAdmin(caller.user)) throw new ApiError('forbidden');
  return key;
}
