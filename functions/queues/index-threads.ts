import { dependents } from '#shared/composition/dependents.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { discardMessages } from '#shared/domain/mail/threads/purge.ts';
import { finishRegrouping } from '#shared/domain/mail/threads/regroup.ts';
import { runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import { removeMailbox } from '#shared/domain/mail/threads/withdraw-mailbox.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more page of threads may take. */
const PAGE_TIME = 60_000;

/** Queue `index-threads`: updates the lists of threads to what is stored and what users may see. */
export const handler = consume<{ job_id: string }, KnowsDependents & SeesRecords>(
  'index-threads',
  async (ctx, { job_id }, context) => {
    if (await finishRegrouping(ctx, job_id)) return;
    const timeIsUp = () => context.getRemainingTimeInMillis() < PAGE_TIME;
    if (await removeMailbox(ctx, job_id, timeIsUp)) return;
    if (await discardMessages(ctx, job_id, timeIsUp)) return;
    await runReindexing(ctx, job_id, timeIsUp);
  },
  { ports: { ...dependents, ...visibility } },
);
