import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { runIndexing } from '#shared/domain/collaboration/record-lists/keeper.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more page of records may take. */
const PAGE_TIME = 20_000;

/** Queue `index-records`: updates the lists of records to what is stored and what users may see. */
export const handler = consume<{ job_id: string }>('index-records', (ctx, { job_id }, context) =>
  runIndexing(ctx, listsOfRecords, job_id, () => context.getRemainingTimeInMillis() < PAGE_TIME),
);
