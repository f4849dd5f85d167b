import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { recordNotFound } from '#shared/errors.ts';
import type { RecordType } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';

/**
 * The announcement that a record is deleted, with what its family gives free at once: names, addresses, external ids.
 * Undefined when there is none or the caller does not see it; 403 when the caller may not delete it.
 */
export type PlansDeletion = (ctx: CallerContext, id: string) => Promise<Change | undefined>;

/** Those types whose family registered how their records are deleted: no other record can be. */
export interface DeletesRecords {
  deletions: Partial<Record<RecordType, PlansDeletion>>;
}

/** The record is gone when this is done; what it has goes with a job. 404 for one that the caller does not see. */
export function deleteRecord(ctx: CallerContext<DeletesRecords>, { type, id }: RecordRef): Promise<void> {
  return retryOnConflict(async () => {
    const change = await ctx.ports.deletions[type]?.(ctx, id);
    if (!change) throw recordNotFound();
    await commit(ctx, change);
  });
}
