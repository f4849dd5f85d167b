import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteCustomField as remove } from '#shared/domain/collaboration/custom-fields/delete.ts';

export const deleteCustomField = route('deleteCustomField', {
  method: 'DELETE',
  path: '/custom_fields/{id}',
  access: 'write',
  summary: 'Delete the definition of a custom field',
  description: 'For account admins. Records keep their values, which are no longer checked.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(deleteCustomField, async ({ ctx, params }) => {
  await remove(ctx, params.id);
});
