import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { deleteOrganization as remove } from '#shared/domain/crm/organizations/delete.ts';

export const deleteOrganization = route('deleteOrganization', {
  method: 'DELETE',
  path: '/organizations/{id}',
  access: 'write',
  summary: 'Delete an organization',
  description:
    'Its comments, taggings, shares and open proposals are deleted with it. Contacts and threads stay.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteOrganization,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  recordLists,
);
