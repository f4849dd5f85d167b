import { dependents } from '#shared/composition/dependents.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { discardMessages } from '#shared/domain/mail/threads/purge.ts';
import { finishRegrouping } from '#shared/domain/mail/threads/regroup.ts';
import { runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import { removeMailbox } from '#shared/domain/mail/threads/withdraw-mailbox.ts';
import { findJob } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more page of threads may take. */
const PAGE_TIME = 60_000;

/** Queue `index-threads`: updates the lists of threads to what is stored and what users may see. */
export const handler = consume<{ job_id: string }, KnowsDependents & SeesRecords>(
  'index-threads',
  async (ctx, { job_id }, context) => {
    const job = await findJob(ctx.table, job_id);
    if (!job || (await finishRegrouping(ctx, job))) return;
    const timeIsUp = () => context.getRemainingTimeInMillis() < PAGE_TIME;
    if (await removeMailbox(ctx, job, timeIsUp)) return;
    if (await discardMessages(ctx, job, timeIsUp)) return;
    await runReindexing(ctx, job_id, timeIsUp);
  },
  { ports: { ...dependents, ...visibility } },
);
