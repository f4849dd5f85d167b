import { dependents } from '#shared/composition/dependents.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import { type RemovedRecord, removeRecord } from '#shared/domain/collaboration/life/end.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more transaction may take, with its reads. */
const STEP_TIME = 20_000;

/**
 * Queue `remove-records`: moves the dependents of a merged record, or removes those of a deleted one; many dependents
 * take several messages.
 */
export const handler = consume<RemovedRecord & { job_id: string }, KnowsDependents & KeepsLists>(
  'remove-records',
  async (ctx, { job_id, ...removed }, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < STEP_TIME;
    if ((await removeRecord(ctx, job_id, removed, timeIsUp)) === 'more') await dispatchAgain(ctx, job_id);
  },
  { ports: { ...dependents, ...recordLists } },
);
