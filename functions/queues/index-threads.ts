import { finishRegrouping } from '#shared/domain/mail/threads/regroup.ts';
import { runReindexing } from '#shared/domain/mail/threads/reindex.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more page of threads may take. */
const PAGE_TIME = 60_000;

/** Queue `index-threads`: brings threads and their lists up to what is there and what users may see. */
export const handler = consume<{ job_id: string }>('index-threads', async ({ job_id }, services, context) => {
  if (await finishRegrouping(services, job_id)) return;
  await runReindexing(services, job_id, () => context.getRemainingTimeInMillis() < PAGE_TIME);
});
