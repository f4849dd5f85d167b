import { sortTexts } from '#shared/domain/platform/text-index/run.ts';
import type { SortBody } from '#shared/domain/platform/text-index/sorting.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more merge of segments may take. */
const MERGE_TIME = 120_000;

/** Queue `sort-texts`: sorts the words of new messages of a mailbox into the segments in which a search finds them. */
export const handler = consume<SortBody & { job_id: string }>('sort-texts', (ctx, { job_id }, context) =>
  sortTexts(ctx, job_id, () => context.getRemainingTimeInMillis() < MERGE_TIME),
);
