import type { Context } from '#shared/context.ts';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { addGroupAccess, removeGroupAccess } from '#shared/domain/identity/users/access.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs, resumeLists } from '#shared/domain/platform/lists/keeper.ts';
import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist, mustNotExist, type Table, update, type Write, when } from '#shared/table/table.ts';
import { byName, type Group, type GroupChanges, type GroupDraft, MAX_MEMBERS } from './group.ts';
import { requireGroup, requireManager } from './policy.ts';

/** Groups. A group, its name, its access and the `group_ids` of its users change in one transaction. */

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

/** 409 `group_name_taken` for a name that another group has. */
const groupNames = new UniqueNames(
  keys.groupName,
  () =>
    new ApiError('group_name_taken', {
      fields: { name: { code: 'taken', message: 'is used by another group' } },
    }),
);

/** The same users, those already in the group since when they are. */
function membersOf(user_ids: string[], before: Group['members'], now: Date): Group['members'] {
  return Object.fromEntries(
    user_ids.map((id) => [id, before[id] ?? { id: newId(now), created_at: now.toISOString() }]),
  );
}

export function newGroup(caller: Caller, draft: GroupDraft, now: Date): Group {
  const { user_ids, ...fields } = draft;
  const id = newId(now);
  return {
    ...keys.group(caller.account.id, id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    ...fields,
    members: membersOf(user_ids, {}, now),
    version: 1,
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/**
 * 409 `group_name_taken` when the account has a group of that name, 400 when it has as many as it may. `also` is written
 * in the same transaction.
 */
export async function insertGroup(ctx: Context, group: Group, also: Write[]): Promise<void> {
  await ctx.table.transact([
    groupNames.take(group.account_id, group.name, group.id),
    addGroupAccess(group.account_id, group.id),
    { put: group, when: mustNotExist },
    ...Object.keys(group.members).map((id) => userWrite(group.account_id, id, 'add', group.id)),
    ...also,
  ]);
}

/** Every group of the account by name. */
export async function listGroups(table: Table, account_id: string): Promise<Group[]> {
  const { PK, SK } = keys.group(account_id, '');
  return (await table.all<Group>(PK, SK)).sort(byName);
}

function changedMembers(group: Group, members: Group['members']): { added: string[]; removed: string[] } {
  const added = Object.keys(members).filter((id) => !Object.hasOwn(group.members, id));
  const removed = Object.keys(group.members).filter((id) => !Object.hasOwn(members, id));
  if (added.length + removed.length > MAX_MEMBERS)
    throw invalidField('user_ids', 'too_long', `changes more than ${MAX_MEMBERS} memberships at once`);
  return { added, removed };
}

/** Why lists change with the members of a version: sending the same change again sends their jobs again. */
const causeOf = ({ id }: Group, version: number) => idFrom('reindexing of group', id, String(version));

/** The users' side of changed members, and the jobs that bring their lists up to it. */
function userWrites(ctx: Context<KeepsLists>, group: Group, members: Group['members'], ended?: true) {
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

/** Replaces a group that nobody changed since it was read. */
function replaceGroup(before: Group, after: Group): Write[] {
  const { name, description, color, members, updated_at } = after;
  return [
    ...groupNames.change(before.account_id, before.id, { from: before.name, to: name }),
    update<Group>(keys.group(before.account_id, before.id), {
      set: { name, description, color, members, updated_at, version: before.version + 1 },
      when: { version: before.version },
    }),
  ];
}

/** What is not sent stays as it is. The group with its users. */
export function updateGroup(
  ctx: CallerContext<KeepsLists>,
  id: string,
  { user_ids, ...sent }: GroupChanges,
): Promise<{ group: Group; users: User[] }> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const before = await requireGroup(ctx, id);
    const wanted = user_ids ?? Object.keys(before.members);
    const users = await requireUsers(table, ctx.caller.account.id, wanted);
    requireManager(ctx.caller, before);
    if (user_ids === undefined && Object.keys(sent).length === 0) return { group: before, users };
    const { name = before.name, description = before.description, color = before.color } = sent;
    const members = membersOf(wanted, before.members, ctx.now);
    const group = { ...before, name, description, color, members, updated_at: ctx.now.toISOString() };
    const { changed, writes, jobs } = userWrites(ctx, before, members);
    await commit(ctx, { writes: [...replaceGroup(before, group), ...writes], jobs });
    if (!changed) await resumeLists(ctx, causeOf(before, before.version));
    return { group, users };
  });
}

/** Its users leave it, and what it had access to is theirs no longer. */
export function deleteGroup(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const group = await requireGroup(ctx, id);
    requireManager(ctx.caller, group);
    const { writes, jobs } = userWrites(ctx, group, {}, true);
    await commit(ctx, {
      writes: [
        { delete: keys.group(group.account_id, id), when: when<Group>({ version: group.version }) },
        groupNames.free(group.account_id, group.name, id),
        removeGroupAccess(group.account_id, id),
        ...writes,
      ],
      jobs,
    });
  });
}
