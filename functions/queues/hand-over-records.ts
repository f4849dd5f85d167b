import { leaving } from '#shared/composition/leaving.ts';
import { lists } from '#shared/composition/lists.ts';
import type { HandOver } from '#shared/domain/identity/users/hand-over.ts';
import { type HandsOver, handOverAll } from '#shared/domain/identity/users/leaving.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { consume } from '#shared/queues/consume.ts';

/** Milliseconds that one more record may take. */
const STEP_TIME = 30_000;

/** Queue `hand-over-records`: gives others what a user had who left; much takes several messages. */
export const handler = consume<HandOver & { job_id: string }, HandsOver & KeepsLists>(
  'hand-over-records',
  (ctx, { job_id, ...body }, context) =>
    handOverAll(ctx, job_id, body, () => context.getRemainingTimeInMillis() < STEP_TIME),
  { ports: { ...leaving, ...lists } },
);
