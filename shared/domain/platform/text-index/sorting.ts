import type { Context } from '#shared/context.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { enqueue, type Job, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import type { Write } from '#shared/table/table.ts';

/** When an index of texts is sorted: now and then, so that a search reads few of them one by one. */

export interface SortBody extends Record<string, unknown> {
  /** The name of the index: the id of its owner, and of what it is where an owner has several. */
  sorted_index_id: string;
}

/** An account, a user, a mailbox or a group. */
export const ownerOfIndex = (name: string): string => name.split('#', 1)[0] as string;

export type SortJob = Job & { body: SortBody; version?: number };

/** Documents for which an index is sorted once, on average. */
const ONE_IN = 32;

/** By chance, and the same for documents that are added again. `which` tells them from others. */
export function isDrawn(index: string, which: string[], documents = 1): boolean {
  const drawn = idFrom('sorting', index, ...which);
  return Number.parseInt(drawn.slice(-4), 16) % ONE_IN < documents;
}

const sortingJob = (index: string, now: Date) =>
  sharedJob<SortJob>(
    'sort-texts',
    { sorted_index_id: index },
    { id: idFrom('sort-texts', index), now, add: { version: 1 } },
  );

export const requestSorting = (ctx: Context, index: string): Promise<void> =>
  commit(ctx, { writes: [], jobs: [sortingJob(index, ctx.clock())] });

/** Without a message: the next sweep sends it, within a minute, as it was due long ago. */
export const sortSoon = (index: string): Write => enqueue(sortingJob(index, new Date(0)));
