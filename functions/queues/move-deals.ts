import { recordLists } from '#shared/composition/record-lists.ts';
import { moveReplacedDeals } from '#shared/domain/crm/deals/move-replaced.ts';
import type { ReplacedStage } from '#shared/domain/crm/pipelines/stages/delete.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that some more deals may take. */
const STEP_TIME = 30_000;

/** Queue `move-deals`: moves the deals of a deleted stage to its replacement; many take several messages. */
export const handler = consume<ReplacedStage & { job_id: string }, KeepsLists>(
  'move-deals',
  async (ctx, { job_id, ...replaced }, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < STEP_TIME;
    await moveReplacedDeals(ctx, job_id, replaced, timeIsUp);
  },
  { ports: recordLists },
);
