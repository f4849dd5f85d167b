import type { Context } from '#shared/context.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, when } from '#shared/table/table.ts';
import { type Change, commit, together } from './commit.ts';
import { freeJob } from './hold.ts';
import { dispatchAgain, type Job } from './job.ts';

/**
 * Commits what a held job ends with, and completes it. When somebody asked for it again, or changed what it writes, while it
 * ran, nothing is written, and it runs once more.
 */
export async function endJob(ctx: Context, job: Job, change: Change): Promise<void> {
  const completed = { delete: keys.job(job.id), when: when<Job>({ due: job.due }) };
  try {
    await commit(ctx, together(change, [completed]));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    await freeJob(ctx.table, job);
    await dispatchAgain(ctx, job.id);
  }
}
