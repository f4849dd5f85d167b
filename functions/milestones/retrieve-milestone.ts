import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { milestoneSchema } from '#shared/domain/work/milestones/milestone.ts';
import { requireMilestone } from '#shared/domain/work/milestones/policy.ts';
import { showMilestone } from '#shared/domain/work/milestones/store.ts';

export const retrieveMilestone = route('retrieveMilestone', {
  method: 'GET',
  path: '/milestones/{id}',
  access: 'read',
  summary: 'Retrieve a milestone',
  returns: { 200: { milestone: milestoneSchema } },
  uses: ['table:read'],
});

export const handler = handle(
  retrieveMilestone,
  async ({ ctx, params }) => ({
    milestone: await showMilestone(ctx, await requireMilestone(ctx, params.id)),
  }),
  visibility,
);
