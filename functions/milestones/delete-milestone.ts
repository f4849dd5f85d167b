import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { deleteMilestone as remove } from '#shared/domain/work/milestones/delete.ts';

export const deleteMilestone = route('deleteMilestone', {
  method: 'DELETE',
  path: '/milestones/{id}',
  access: 'write',
  summary: 'Delete a milestone',
  description: 'Its shares are deleted with it. Its tasks stay, without a milestone.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteMilestone,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  recordLists,
);
