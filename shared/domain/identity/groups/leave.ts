import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, present, type Update, update } from '#shared/table/table.ts';
import type { Group } from './group.ts';
import { userWrite } from './members.ts';
import { requireGroup, requireLeaving } from './policy.ts';

function leaving(group: Group, user_id: string, now: Date): Update<Group> {
  return {
    set: { updated_at: nextMoment(group, now) },
    add: { version: 1 },
    remove: [['members', user_id]],
    when: { version: group.version, members: at(user_id, present) },
  };
}

/** 404 and 403 as in `requireLeaving`. */
export function leaveGroup(ctx: CallerContext<KeepsLists>, group_id: string, user_id: string): Promise<void> {
  return retryOnConflict(async () => {
    const group = await requireGroup(ctx, group_id);
    requireLeaving(ctx.caller, group, user_id);
    const change = { account_id: group.account_id, group_id, user_ids: [user_id] };
    await commit(ctx, {
      writes: [
        update(keys.group(group.account_id, group_id), leaving(group, user_id, ctx.now)),
        userWrite(group.account_id, user_id, 'take', group_id),
      ],
      jobs: listJobs(ctx, change),
    });
  });
}
