import { dependents } from '#shared/composition/dependents.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { finishRegrouping } from '#shared/domain/mail/threads/regroup.ts';
import { runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more page of threads may take. */
const PAGE_TIME = 60_000;

/** Queue `index-threads`: updates the lists of threads to what is stored and what users may see. */
export const handler = consume<{ job_id: string }, KnowsDependents & SeesRecords>(
  'index-threads',
  async (ctx, { job_id }, context) => {
    if (await finishRegrouping(ctx, job_id)) return;
    await runReindexing(ctx, job_id, () => context.getRemainingTimeInMillis() < PAGE_TIME);
  },
  { ports: { ...dependents, ...visibility } },
);
