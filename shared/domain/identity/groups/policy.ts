import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { isAdmin } from '#shared/domain/identity/users/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Group } from './group.ts';

/** All users of an account see its groups. */

/** Whether the user may change and delete a group, and decide about its members. */
function mayManage(user: User, group: Group): boolean {
  return user.id === group.user_id || isAdmin(user);
}

/** 404 when the account has no such group. */
export async function requireGroup({ table, caller }: CallerContext, id: string): Promise<Group> {
  const group = await table.get<Group>(keys.group(caller.account.id, id));
  if (!group) throw recordNotFound();
  return group;
}

/** 403 for everyone except the group's creator and admins. */
export function requireManager(caller: Caller, group: Group): void {
  if (!mayManage(caller.user, group)) throw new ApiError('permission_denied');
}

/**
 * A user may leave, and managers of the group may remove others; 403 for anyone else. 404 when the user is not a
 * member.
 */
export function requireLeaving(caller: Caller, group: Group, user_id: string): void {
  if (!Object.hasOwn(group.members, user_id)) throw recordNotFound();
  if (user_id !== caller.user.id) requireManager(caller, group);
}
