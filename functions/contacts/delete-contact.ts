import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { deleteContact as remove } from '#shared/domain/crm/contacts/delete.ts';

export const deleteContact = route('deleteContact', {
  method: 'DELETE',
  path: '/contacts/{id}',
  access: 'write',
  summary: 'Delete a contact',
  description: 'Its comments, taggings, shares, pins and open proposals are deleted with it. Threads stay.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  deleteContact,
  async ({ ctx, params }) => {
    await remove(ctx, params.id);
  },
  recordLists,
);
