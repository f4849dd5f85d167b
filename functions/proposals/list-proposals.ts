import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { pageCollection, pageNumbers, pageOf, sentFilters } from '#shared/api/shapes.ts';
import { proposalTargets } from '#shared/composition/proposing.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { agentSlugs } from '#shared/domain/assistant/agents/agent.ts';
import { findTarget, listProposalIds } from '#shared/domain/assistant/proposals/list.ts';
import { findProposals } from '#shared/domain/assistant/proposals/policy.ts';
import { presentProposals } from '#shared/domain/assistant/proposals/present.ts';
import {
  actionTypes,
  proposalSchema,
  proposalStatuses,
} from '#shared/domain/assistant/proposals/proposal.ts';
import { uuid } from '#shared/values.ts';

export const listProposals = route('listProposals', {
  method: 'GET',
  path: '/proposals',
  access: 'read',
  summary: "List the proposals that are for the key's user",
  description: 'Pending ones by default, newest first. `record_id` needs `record_type`.',
  query: {
    status: z
      .enum([...proposalStatuses, 'all'])
      .optional()
      .meta({ description: 'By default `pending`' }),
    action_type: z.enum(actionTypes).optional(),
    agent_slug: z.enum(agentSlugs).optional(),
    record_type: z.enum(proposalTargets).optional().meta({ description: 'Of the record that would change' }),
    record_id: uuid.optional(),
    sort: z.enum(['created_at']).default('created_at'),
    order: z.enum(['asc', 'desc']).default('desc'),
    ...pageNumbers,
  },
  returns: { 200: { collection: pageCollection(proposalSchema) } },
  errors: ['record_not_found'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listProposals,
  async ({ ctx, query }) => {
    const { status = 'pending', sort, order, page, per_page } = query;
    const target = await findTarget(ctx, query);
    const choice = { ...query, status, target };
    const ids = await listProposalIds(ctx.table, ctx.caller.user.id, choice, ctx.now);
    const { records, ...paging } = pageOf(order === 'asc' ? ids : ids.toReversed(), { page, per_page });
    const found = await findProposals(ctx, records);
    const proposals = records.flatMap((id) => found.get(id) ?? []);
    const presented = await presentProposals(ctx, proposals);
    return { collection: { records: presented, ...paging, filters: sentFilters(query), sort, order } };
  },
  visibility,
);
