import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { deleteDeal as remove } from '#shared/domain/crm/deals/delete.ts';

export const deleteDeal = route('deleteDeal', {
  method: 'DELETE',
  path: '/deals/{id}',
  access: 'write',
  summary: 'Delete a deal',
  description:
    'Its comments, taggings, shares and open proposals are deleted with it. People, organizations and tasks stay.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteDeal,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  recordLists,
);
