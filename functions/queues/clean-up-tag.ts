import { lists } from '#shared/composition/lists.ts';
import { type CleanUpJob, cleanUpTag } from '#shared/domain/collaboration/tags/clean-up.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more page of records may take. */
const PAGE_TIME = 60_000;

/** Queue `clean-up-tag`: removes a deleted tag from its records; many records take several messages. */
export const handler = consume<CleanUpJob, KeepsLists>(
  'clean-up-tag',
  async (ctx, job, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < PAGE_TIME;
    const state = await cleanUpTag(ctx, job, timeIsUp);
    if (state === 'more') await dispatchAgain(ctx, job.job_id);
  },
  { ports: lists },
);
