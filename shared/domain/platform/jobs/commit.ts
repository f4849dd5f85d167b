import type { Context } from '#shared/context.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import type { Write } from '#shared/table/table.ts';
import { dispatch, enqueue, type NewJob } from './job.ts';

/** Writes, and the jobs that they make necessary. Functions that plan a change return one. */
export interface Change {
  writes: Write[];
  jobs: NewJob[];
}

export const noChange: Change = { writes: [], jobs: [] };

export function together(...changes: (Change | Write[])[]): Change {
  const all = changes.map((each) => (Array.isArray(each) ? { writes: each, jobs: [] } : each));
  return { writes: all.flatMap(({ writes }) => writes), jobs: all.flatMap(({ jobs }) => jobs) };
}

/** The number of items in its transaction, 100 at most. */
export function sizeOf({ writes, jobs }: Change): number {
  return writes.length + jobs.length;
}

/**
 * Starts enqueued jobs: small updates of lists run at once, everything else is sent to its queue. Jobs for the sweep
 * (`unsentJob`) are left to it.
 */
export async function begin(ctx: Context, jobs: NewJob[]): Promise<void> {
  const { lists = {} }: Partial<KeepsLists> = ctx.ports;
  await Promise.all(
    jobs.map(async (job) => {
      const keeper = lists[job.queue];
      if (keeper) await keeper.runNow(ctx, job);
      else if (job.sends > 0) await dispatch(ctx, job);
    }),
  );
}

/**
 * The one place that writes a change: its writes and jobs in one transaction, after which the jobs start. Throws
 * ConditionFailed when another request was faster, or the `otherwise` of a write.
 */
export async function commit(ctx: Context, { writes, jobs }: Change): Promise<void> {
  await ctx.table.transact([...writes, ...jobs.map(enqueue)]);
  await begin(ctx, jobs);
}
