import type { Context } from '#shared/context.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { freeJob, holdJob } from '#shared/domain/platform/jobs/hold.ts';
import { dispatchAgain, type Job, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { sortIndex } from '#shared/domain/platform/text-index/sort.ts';
import { idFrom } from '#shared/ids.ts';
import { queues } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, when } from '#shared/table/table.ts';

/** Sorts the texts of a mailbox now and then, so that a search reads few of them one by one. */

export interface SortBody extends Record<string, unknown> {
  sorted_mailbox_id: string;
}

type SortJob = Job & { body: SortBody; version?: number };

/** Of so many threads that get mail, one makes the mailbox be sorted. */
const ONE_IN = 32;
/** Milliseconds; longer than a worker lives. */
const HOLD = 1.1 * queues['sort-texts'].timeout * 1_000;

const isTelling = (thread_id: string) => Number.parseInt(thread_id.slice(-4), 16) % ONE_IN === 0;

export const sortingJob = (mailbox_id: string, now: Date) =>
  sharedJob<SortJob>(
    'sort-texts',
    { sorted_mailbox_id: mailbox_id },
    { id: idFrom('sort-texts', mailbox_id), now, add: { version: 1 } },
  );

/** After mail came to these threads. */
export async function sortSometimes(ctx: Context, mailbox_id: string, thread_ids: string[]): Promise<void> {
  if (!thread_ids.some(isTelling)) return;
  await commit(ctx, { writes: [], jobs: [sortingJob(mailbox_id, ctx.clock())] });
}

/** False when more mail came meanwhile. */
async function ended({ table }: Context, { id, version = 0 }: SortJob): Promise<boolean> {
  try {
    await table.delete(keys.job(id), when<SortJob>({ version }));
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** One worker at a time. What comes meanwhile is sorted by the next one. */
export async function sortTexts(ctx: Context, job_id: string, timeIsUp: () => boolean): Promise<void> {
  const job = await holdJob<SortJob>(ctx.table, job_id, { now: ctx.clock(), milliseconds: HOLD });
  if (!job) return;
  try {
    const done = await sortIndex(ctx, job.body.sorted_mailbox_id, { timeIsUp });
    if (done && (await ended(ctx, job))) return;
  } catch (error) {
    await freeJob(ctx.table, job);
    throw error;
  }
  await freeJob(ctx.table, job);
  await dispatchAgain(ctx, job_id);
}
