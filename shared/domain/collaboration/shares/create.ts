import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, resumeLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { SharesRecords } from './kind.ts';
import { causeOf, existingShare, planShare } from './plan.ts';
import { requireShareable, requireSharer } from './policy.ts';
import {
  presentShare,
  type RecordRef,
  type ShareDraft,
  type ShareRecord,
  type StoredShare,
  shareIdOf,
} from './share.ts';
import { readTarget, requireTarget, targetId } from './target.ts';

/** Returns an existing share unchanged. */
export function createShare(
  ctx: CallerContext<SharesRecords & KeepsLists>,
  ref: RecordRef,
  draft: ShareDraft,
): Promise<ShareRecord> {
  const target = readTarget(draft);
  return retryOnConflict(async () => {
    const [{ kind, shareable }, behind] = await Promise.all([
      requireShareable(ctx, ref),
      requireTarget(ctx, target),
    ]);
    requireSharer(shareable);
    const { record, opens } = shareable;
    const existing = existingShare(shareable, target);
    if (existing) {
      await resumeLists(ctx, causeOf(existing));
      return presentShare(existing, record);
    }
    await kind.requireRoom?.(ctx, target);
    await kind.keep?.(ctx, record.id);
    const share: StoredShare = {
      id: shareIdOf(record, targetId(target)),
      ...target,
      access: draft.access,
      ...opens,
      shared_by_user_id: ctx.caller.user.id,
      created_at: ctx.now.toISOString(),
    };
    await commit(ctx, await planShare(ctx, { kind, shareable, share, behind }));
    return presentShare(share, record);
  });
}
