import type { Context } from '#shared/context.ts';
import type { ArrivedMail } from '#shared/domain/mail/arriving/arrived.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { type Job, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';

/** When the texts of a mailbox are sorted: now and then, so that a search reads few of them one by one. */

export interface SortBody extends Record<string, unknown> {
  sorted_mailbox_id: string;
}

export type SortJob = Job & { body: SortBody; version?: number };

/** Messages for which a mailbox is sorted once, on average. */
const ONE_IN = 32;

type Batch = Pick<ArrivedMail, 'mailbox' | 'messages' | 'heard'>;

/** By chance, and the same for a batch that is repeated. */
function isDrawn({ mailbox, messages, heard }: Batch): boolean {
  const drawn = idFrom('sorting', mailbox.id, ...[...heard].flat().map(String));
  return Number.parseInt(drawn.slice(-4), 16) % ONE_IN < messages;
}

const sortingJob = (mailbox_id: string, now: Date) =>
  sharedJob<SortJob>(
    'sort-texts',
    { sorted_mailbox_id: mailbox_id },
    { id: idFrom('sort-texts', mailbox_id), now, add: { version: 1 } },
  );

export const requestSorting = (ctx: Context, mailbox_id: string): Promise<void> =>
  commit(ctx, { writes: [], jobs: [sortingJob(mailbox_id, ctx.clock())] });

export async function sortSometimes(ctx: Context, mail: Batch): Promise<void> {
  if (isDrawn(mail)) await requestSorting(ctx, mail.mailbox.id);
}
