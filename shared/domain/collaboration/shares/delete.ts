import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { present, update } from '#shared/table/table.ts';
import type { SharesRecords } from './kind.ts';
import { requireShare, requireShareable, requireSharer } from './policy.ts';
import type { RecordRef } from './share.ts';
import { usersBehind } from './target.ts';
import { changeOf, groupRow, type SharedItem, shareIs } from './writes.ts';

/** Ends the access of a share in the same transaction. */
export function deleteShare(
  ctx: CallerContext<SharesRecords & KeepsLists>,
  ref: RecordRef,
  id: string,
): Promise<void> {
  return retryOnConflict(async () => {
    const { kind, shareable } = await requireShareable(ctx, ref);
    const share = requireShare(shareable, id);
    requireSharer(shareable);
    const { user_ids, unchanged } = await usersBehind(ctx, share);
    await commit(ctx, {
      writes: [
        update<SharedItem>(shareable.item, { remove: [['shares', id]], when: shareIs(id, present) }),
        ...unchanged,
        ...kind.taking(shareable, share),
        ...groupRow(shareable, share, false),
      ],
      jobs: listJobs(ctx, changeOf(shareable, user_ids)),
    });
  });
}
