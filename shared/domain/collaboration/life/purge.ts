import type { Context } from '#shared/context.ts';
import { type DueWork, doneWrite, refOf } from '#shared/domain/collaboration/due/due.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isResting, type RecordItem, restsSince } from '#shared/domain/collaboration/records/live.ts';
import { type Change, commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { update } from '#shared/table/table.ts';
import { removalOf } from './end.ts';
import { restsUntil } from './rest.ts';

/** Removes what rested for its time (rest.ts). */

/** Nothing for a record that was restored, or deleted again since. */
function purging(record: RecordRef, item: RecordItem | undefined, now: Date): Change {
  if (!isResting(item) || restsUntil(item.deleted_at) > now.getTime()) return noChange;
  const write = update<RecordItem>(keys.record(record.type, record.id), {
    set: { purging: true },
    when: restsSince(item.deleted_at),
  });
  return { writes: [write], jobs: [removalOf(record, now)] };
}

/** From then on it cannot be restored; a job removes it. */
export function purge(ctx: Context, due: DueWork): Promise<void> {
  const record = refOf(due);
  return retryOnConflict(async () => {
    const item = await ctx.table.get<RecordItem>(keys.record(record.type, record.id));
    await commit(ctx, together(purging(record, item, ctx.now), [doneWrite(due)]));
  });
}
