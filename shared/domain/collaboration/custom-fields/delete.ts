import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireManaged } from './policy.ts';
import { bringingJob, changeOf } from './writes.ts';

/** The values of records stay, and are free again. 404, 403 and 412 as in `requireManaged`. */
export function deleteCustomField(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const { type, set, field, place } = await requireManaged(ctx, id);
    const job = field.indexed ? bringingJob(ctx, type) : undefined;
    await commit(ctx, changeOf(set, set.fields.toSpliced(place, 1), job));
  });
}
