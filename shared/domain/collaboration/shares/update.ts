import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, present, update } from '#shared/table/table.ts';
import type { SharesRecords } from './kind.ts';
import { requireShare, requireShareable, requireSharer } from './policy.ts';
import { presentShare, type RecordRef, type ShareRecord, type StoredShare } from './share.ts';
import { type SharedItem, shareIs } from './writes.ts';

export function updateShare(
  ctx: CallerContext<SharesRecords>,
  ref: RecordRef,
  id: string,
  { access }: Pick<StoredShare, 'access'>,
): Promise<ShareRecord> {
  return retryOnConflict(async () => {
    const { kind, shareable } = await requireShareable(ctx, ref);
    const share = { ...requireShare(shareable, id), access };
    requireSharer(shareable);
    await ctx.table.transact([
      update<SharedItem>(shareable.item, {
        set: { shares: at(id, at('access', access)) },
        when: shareIs(id, present),
      }),
      ...kind.giving(shareable, share),
    ]);
    return presentShare(share, shareable.record);
  });
}
