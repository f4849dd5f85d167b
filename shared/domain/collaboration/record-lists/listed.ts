import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { accessOf, type GuardedItem, waysOfSharing } from '#shared/domain/collaboration/records/policy.ts';
import type { Group } from '#shared/domain/identity/groups/group.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { ALL, type Listed, type RecordIndex } from './entry.ts';
import { rankOf } from './ranks.ts';

/** In which lists a record should be. */

/** How a record is shared with a user. */
export const WAYS = ['direct', 'group'] as const;

/** Records that are shared with the user in one of the ways. */
export const sharedList = (way: 'direct' | 'group') => `shared:${way}`;

/** Records of which the user is the owner. */
export const ownerList = (user_id: string) => `owner:${user_id}`;

export const tagList = (tag_id: string) => `tag:${tag_id}`;

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

/**
 * The users whose own lists may have the record: those it is shared with, directly or by a group, those with a list for
 * themselves, and owner and assignee of a private one. `known` need not be read.
 */
async function usersAround<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  record: R,
  known: User[],
): Promise<User[]> {
  const shares = Object.values(record.shares ?? {});
  const group_ids = shares.flatMap(({ group_id }) => group_id ?? []);
  const groups = await table.getMany<Group>(group_ids.map((id) => keys.group(record.account_id, id)));
  const ids = new Set([
    ...(record.visibility === 'private' ? [record.user_id, record.assigned_user_id ?? record.user_id] : []),
    ...shares.flatMap(({ user_id }) => user_id ?? []),
    ...groups.flatMap(({ members }) => Object.keys(members)),
    ...index.users(record),
  ]);
  const here = known.filter(({ id }) => ids.delete(id));
  return [...here, ...(await findUsers(table, record.account_id, [...ids]))];
}

function ownLists<R extends GuardedItem>(index: RecordIndex<R>, record: R, user: User): string[] {
  return [...index.personal(record, user.id), ...waysOfSharing(record, user).map(sharedList)];
}

/** By the owner of the lists: the account, or a user who sees the record. */
export async function listedOf<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  record: R | undefined,
  known: User[] = [],
): Promise<Map<string, Listed>> {
  const all = new Map<string, Listed>();
  if (!isThere(record) || record.merged_into !== undefined) return all;
  const ranks = Object.fromEntries(
    Object.entries(index.orders).map(([order, rankIn]) => [order, rankOf(rankIn(record), record.id)]),
  );
  const lists = [ALL, ...index.lists(record), ...[...(record.tag_ids ?? [])].map(tagList)];
  const whole = (own: string[]): Listed => ({
    ranks,
    lists: sorted([...lists, ...own]),
    words: sorted(index.words(record)),
    words_by: index.words_by,
  });
  if (record.visibility === 'account') all.set(record.account_id, whole([]));
  for (const user of await usersAround(table, index, record, known)) {
    const own = ownLists(index, record, user);
    if (record.visibility === 'private') {
      if (accessOf(record, user)) all.set(user.id, whole(own));
    } else if (own.length > 0)
      all.set(user.id, { ranks, lists: sorted(own), words: [], words_by: index.words_by });
  }
  return all;
}
