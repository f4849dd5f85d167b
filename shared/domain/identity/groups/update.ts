import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, resumeLists } from '#shared/domain/platform/lists/keeper.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update, type Write } from '#shared/table/table.ts';
import type { Group, GroupChanges } from './group.ts';
import { causeOf, membersOf, userWrites } from './members.ts';
import { requireGroup, requireManager } from './policy.ts';
import { groupNames } from './store.ts';

/** Replaces a group unless it changed since it was read. */
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

/** Fields that are not sent stay. Returns the group with its users. */
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
    requireVersion(ctx, id, before);
    if (user_ids === undefined && Object.keys(sent).length === 0) return { group: before, users };
    const { name = before.name, description = before.description, color = before.color } = sent;
    const members = membersOf(wanted, before.members, ctx.now);
    const group = { ...before, name, description, color, members, updated_at: nextMoment(before, ctx.now) };
    const { changed, writes, jobs } = userWrites(ctx, before, members);
    await commit(ctx, { writes: [...replaceGroup(before, group), ...writes], jobs });
    if (!changed) await resumeLists(ctx, causeOf(before, before.version));
    return { group, users };
  });
}
