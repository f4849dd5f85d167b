import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { type ContactRecord, contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { unmergeContacts as unmerge } from '#shared/domain/crm/contacts/merging/unmerge.ts';
import { presentContacts } from '#shared/domain/crm/contacts/present.ts';
import { readAround } from '#shared/domain/crm/details/around.ts';
import { uuid } from '#shared/values.ts';

export const unmergeContacts = route('unmergeContacts', {
  method: 'POST',
  path: '/contacts/{contact_id}/unmerge',
  access: 'write',
  summary: 'Take a merge of two contacts back',
  description:
    'Within 7 days, the last merge first. The other contact is as it was before the merge. The contact of the path keeps ' +
    'what was changed and added since. Comments, tags and tasks return within seconds; the response has the tags and ' +
    'shares of each already.',
  body: { contact_id_to_unmerge: uuid },
  examples: { body: { contact_id_to_unmerge: '0198c0de-0000-7000-8000-000000000002' } },
  returns: { 200: { contact: contactSchema, unmerged_contact: contactSchema } },
  errors: [
    'permission_denied',
    'merge_in_progress',
    'merge_is_final',
    'later_merge_first',
    'email_address_taken',
    'external_id_taken',
    'custom_field_taken',
  ],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
});

export const handler = handle(
  unmergeContacts,
  async ({ ctx, params, body }) => {
    const ids = { survivor: params.contact_id, gone: body.contact_id_to_unmerge };
    const { survivor, restored } = await unmerge(ctx, ids);
    const shown = await presentContacts(ctx, [survivor, restored], readAround(ctx));
    const [contact, unmerged_contact] = shown as [ContactRecord, ContactRecord];
    return { contact, unmerged_contact };
  },
  recordLists,
);
