import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { removeGroupAccess } from '#shared/domain/identity/users/access.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { when } from '#shared/table/table.ts';
import type { Group } from './group.ts';
import { userWrites } from './members.ts';
import { requireGroup, requireManager } from './policy.ts';
import { groupNames } from './store.ts';

/** Removes the group from its users and ends its access. */
export function deleteGroup(ctx: CallerContext<KeepsLists>, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const group = await requireGroup(ctx, id);
    requireManager(ctx.caller, group);
    requireVersion(ctx, id, group);
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
