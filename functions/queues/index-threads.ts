import { runReindexing } from '../../shared/domain/threads/reindex.ts';
import { consume } from '../../shared/queues/consume.ts';

/** Milliseconds that one more page of threads may take. */
const PAGE_TIME = 60_000;

/** Queue `thread-index`: brings thread lists up to what users may see by now. */
export const handler = consume<{ job_id: string }>('index-threads', ({ job_id }, services, context) =>
  runReindexing(services, job_id, () => context.getRemainingTimeInMillis() < PAGE_TIME),
);
