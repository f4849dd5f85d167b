import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { createMilestone as create } from '#shared/domain/work/milestones/create.ts';
import { milestoneDraft, milestoneSchema } from '#shared/domain/work/milestones/milestone.ts';

export const createMilestone = route('createMilestone', {
  method: 'POST',
  path: '/milestones',
  access: 'write',
  summary: 'Create a milestone',
  description:
    'It may belong to one deal, space, organization or contact that the key’s user sees. Tasks lead to it by their ' +
    '`milestone_id`. An account has at most 500 milestones.',
  body: { milestone: milestoneDraft },
  examples: { body: { milestone: { name: 'Sea trial', due_on: '2099-01-31' } } },
  returns: { 201: { milestone: milestoneSchema } },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
  idempotent: true,
});

export const handler = handle(
  createMilestone,
  async ({ ctx, body, keep }) => ({
    milestone: await create(ctx, body.milestone, (milestone) => keep({ milestone })),
  }),
  { ...recordLists, ...visibility },
);
