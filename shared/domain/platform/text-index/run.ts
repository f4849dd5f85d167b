import type { Context } from '#shared/context.ts';
import { freeJob, holdJob } from '#shared/domain/platform/jobs/hold.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import { queues } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';
import { when } from '#shared/table/table.ts';
import { tryDelete } from '#shared/table/try-delete.ts';
import { sortIndex } from './sort.ts';
import type { SortJob } from './sorting.ts';

/** Milliseconds; longer than a worker lives. */
const HOLD = 1.1 * queues['sort-texts'].timeout * 1_000;

/** False when more documents came meanwhile. */
const ended = ({ table }: Context, { id, version = 0 }: SortJob): Promise<boolean> =>
  tryDelete(table, keys.job(id), when<SortJob>({ version }));

/** Sorts an index of texts, one worker at a time. What comes meanwhile is sorted by the next one. */
export async function sortTexts(ctx: Context, job_id: string, timeIsUp: () => boolean): Promise<void> {
  const job = await holdJob<SortJob>(ctx.table, job_id, { now: ctx.clock(), milliseconds: HOLD });
  if (!job) return;
  try {
    const done = await sortIndex(ctx, job.body.sorted_index_id, { timeIsUp });
    if (done && (await ended(ctx, job))) return;
  } catch (error) {
    await freeJob(ctx.table, job);
    throw error;
  }
  await freeJob(ctx.table, job);
  await dispatchAgain(ctx, job_id);
}
