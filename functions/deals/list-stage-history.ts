import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { requireDeal } from '#shared/domain/crm/deals/policy.ts';
import { listStageHistory as list, stageMoveSchema } from '#shared/domain/crm/deals/stage-history.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';

export const listStageHistory = route('listStageHistory', {
  method: 'GET',
  path: '/deals/{deal_id}/stage_history',
  access: 'read',
  summary: 'List the stages of a deal',
  description:
    'Every move of the deal to a stage, with the time it spent there, newest first: the last 200. It begins with the ' +
    'stage in which the deal was created.',
  returns: { 200: { stage_history: z.array(stageMoveSchema) } },
  uses: ['table:read'],
});

export const handler = handle(listStageHistory, ({ ctx, params }) =>
  retryOnConflict(async () => ({ stage_history: await list(ctx, await requireDeal(ctx, params.deal_id)) })),
);
