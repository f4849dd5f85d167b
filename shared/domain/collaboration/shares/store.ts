import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { SharesRecords } from './kind.ts';
import { requireShareable } from './policy.ts';
import { presentShares, type RecordRef, type ShareRecord } from './share.ts';

export async function listShares(ctx: CallerContext<SharesRecords>, ref: RecordRef): Promise<ShareRecord[]> {
  const { shareable } = await requireShareable(ctx, ref);
  const { record, shares, inherited } = shareable;
  return [...presentShares(shares, record), ...inherited];
}
