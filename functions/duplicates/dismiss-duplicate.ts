import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { dismissDuplicate as dismiss } from '#shared/domain/crm/duplicates/dismiss.ts';

export const dismissDuplicate = route('dismissDuplicate', {
  method: 'DELETE',
  path: '/contacts/{contact_id}/duplicates/{id}',
  access: 'write',
  summary: 'Say that two contacts are not the same person',
  description: 'No user of the account finds the pair again. Both contacts stay.',
  returns: { 204: null },
  errors: ['permission_denied'],
  uses: ['table:write'],
});

export const handler = handle(dismissDuplicate, async ({ ctx, params }) => {
  await dismiss(ctx, params.contact_id, params.id);
});
