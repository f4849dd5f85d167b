import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { milestoneChanges, milestoneSchema } from '#shared/domain/work/milestones/milestone.ts';
import { showMilestone } from '#shared/domain/work/milestones/store.ts';
import { updateMilestone as update } from '#shared/domain/work/milestones/update.ts';

export const updateMilestone = route('updateMilestone', {
  method: 'PATCH',
  path: '/milestones/{id}',
  access: 'write',
  summary: 'Update a milestone',
  description:
    'Fields that are not sent stay, and `null` clears. For a parent of another type, clear the old one in the same ' +
    'request. A parent that the key’s user does not see stays until another is sent.',
  body: { milestone: milestoneChanges },
  examples: { body: { milestone: { status: 'reached', due_on: null } } },
  returns: { 200: { milestone: milestoneSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  updateMilestone,
  async ({ ctx, params, body }) => ({
    milestone: await showMilestone(ctx, await update(ctx, params.id, body.milestone)),
  }),
  { ...recordLists, ...visibility },
);
