import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { changePin } from '#shared/domain/crm/contacts/pin.ts';

export const pinContact = route('pinContact', {
  method: 'POST',
  path: '/contacts/{contact_id}/pin',
  access: 'write',
  summary: 'Pin a contact',
  description: 'Per user; a repeat changes nothing.',
  returns: { 200: okResponse },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:index-records'],
});

export const handler = handle(
  pinContact,
  async ({ ctx, params }) => {
    await changePin(ctx, params.contact_id, true);
    return ok;
  },
  recordLists,
);
