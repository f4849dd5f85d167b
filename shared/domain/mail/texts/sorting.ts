import type { Context } from '#shared/context.ts';
import type { ArrivedMail } from '#shared/domain/mail/arriving/arrived.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { enqueue, type Job, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import type { Write } from '#shared/table/table.ts';

/** When an index of texts is sorted: now and then, so that a search reads few of them one by one. */

export interface SortBody extends Record<string, unknown> {
  /** Of the mailbox, user or group that it is for. */
  sorted_index_id: string;
}

export type SortJob = Job & { body: SortBody; version?: number };

/** Messages for which an index is sorted once, on average. */
const ONE_IN = 32;

type Batch = Pick<ArrivedMail, 'mailbox' | 'messages' | 'heard'>;

/** By chance, and the same for messages that are repeated. `which` tells them from others. */
export function isDrawn(index: string, which: string[], messages = 1): boolean {
  const drawn = idFrom('sorting', index, ...which);
  return Number.parseInt(drawn.slice(-4), 16) % ONE_IN < messages;
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

export async function sortSometimes(ctx: Context, { mailbox, messages, heard }: Batch): Promise<void> {
  if (isDrawn(mailbox.id, [...heard].flat().map(String), messages)) await requestSorting(ctx, mailbox.id);
}
