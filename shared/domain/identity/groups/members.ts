import type { Context } from '#shared/context.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, update, type Write } from '#shared/table/table.ts';
import { type Group, MAX_MEMBERS } from './group.ts';

/** Members of a group. The group's `members` and the users' `group_ids` change in one transaction. */

/** The user's side of a membership. */
export function userWrite(
  account_id: string,
  user_id: string,
  change: 'add' | 'take',
  group_id: string,
): Write {
  const group_ids = new Set([group_id]);
  return update<User>(keys.user(account_id, user_id), { [change]: { group_ids }, when: mustExist });
}

/** The members of a group with these users; existing members keep their time of joining. */
export function membersOf(user_ids: string[], before: Group['members'], now: Date): Group['members'] {
  return Object.fromEntries(
    user_ids.map((id) => [id, before[id] ?? { id: newId(now), created_at: now.toISOString() }]),
  );
}

function changedMembers(group: Group, members: Group['members']): { added: string[]; removed: string[] } {
  const added = Object.keys(members).filter((id) => !Object.hasOwn(group.members, id));
  const removed = Object.keys(group.members).filter((id) => !Object.hasOwn(members, id));
  if (added.length + removed.length > MAX_MEMBERS)
    throw invalidField('user_ids', 'too_long', `changes more than ${MAX_MEMBERS} memberships at once`);
  return { added, removed };
}

/** The cause of the list jobs of a version: a repeated request sends the remaining jobs again. */
export const causeOf = ({ id }: Group, version: number) => idFrom('reindexing of group', id, String(version));

/** The users' side of changed members, and the jobs that update their lists. */
export function userWrites(ctx: Context<KeepsLists>, group: Group, members: Group['members'], ended?: true) {
  const { added, removed } = changedMembers(group, members);
  const user_ids = [...added, ...removed];
  const { account_id, id: group_id } = group;
  const change = { account_id, group_id, user_ids, ...(ended ? { ended } : {}) };
  const changed = user_ids.length > 0 || ended === true;
  const jobs = changed ? listJobs(ctx, change, causeOf(group, group.version + 1)) : [];
  return {
    changed,
    jobs,
    writes: [
      ...added.map((id) => userWrite(account_id, id, 'add', group_id)),
      ...removed.map((id) => userWrite(account_id, id, 'take', group_id)),
    ],
  };
}
