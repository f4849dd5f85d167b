import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { changePin } from '#shared/domain/crm/contacts/pin.ts';

export const unpinContact = route('unpinContact', {
  method: 'DELETE',
  path: '/contacts/{contact_id}/pin',
  access: 'write',
  summary: 'Unpin a contact',
  description: 'Per user; a repeat changes nothing.',
  returns: { 204: null },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  unpinContact,
  async ({ ctx, params }) => {
    await changePin(ctx, params.contact_id, false);
  },
  recordLists,
);
