import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { presentOne } from '#shared/domain/crm/contacts/present.ts';
import { duplicateMerge } from '#shared/domain/crm/duplicates/duplicate.ts';
import { mergeDuplicate as merge } from '#shared/domain/crm/duplicates/merge.ts';

export const mergeDuplicate = route('mergeDuplicate', {
  method: 'POST',
  path: '/contacts/{contact_id}/duplicates/{id}/merge',
  access: 'write',
  summary: 'Merge a contact and its duplicate',
  description:
    'The contact that is kept is returned as after merging contacts. `this` is the contact of the path, `other` the ' +
    'duplicate, also in `fields`.',
  body: { merge: duplicateMerge },
  examples: { body: { merge: { keep: 'this', fields: { headline: 'other' } } } },
  returns: { 200: { contact: contactSchema } },
  errors: ['permission_denied', 'merge_in_progress'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
});

export const handler = handle(
  mergeDuplicate,
  async ({ ctx, params, body }) => {
    const contact = await merge(ctx, params, body.merge);
    return presentOne(ctx, contact);
  },
  recordLists,
);
