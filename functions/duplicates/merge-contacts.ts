import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { fieldSides } from '#shared/domain/crm/contacts/merging/fields.ts';
import { mergeContacts as merge } from '#shared/domain/crm/contacts/merging/merge.ts';
import { presentOne } from '#shared/domain/crm/contacts/present.ts';
import { uuid } from '#shared/values.ts';

export const mergeContacts = route('mergeContacts', {
  method: 'POST',
  path: '/contacts/{contact_id}/merge',
  access: 'write',
  summary: 'Merge two contacts',
  description:
    'The contact of the path gets everything of the other one, whose id is 404 from then on. Its comments, tags, ' +
    'tasks and shares follow within seconds. The response has the tags and shares of both already.',
  body: { contact_id_to_merge: uuid, fields: fieldSides, dry_run: z.boolean().default(false) },
  examples: {
    body: {
      contact_id_to_merge: '0198c0de-0000-7000-8000-000000000002',
      fields: { headline: 'other' },
      dry_run: true,
    },
  },
  returns: { 200: { contact: contactSchema } },
  errors: ['permission_denied', 'merge_in_progress'],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
});

export const handler = handle(
  mergeContacts,
  async ({ ctx, params, body: { contact_id_to_merge, fields, dry_run } }) => {
    const merging = { into: params.contact_id, from: contact_id_to_merge, fields, dry_run };
    const contact = await merge(ctx, merging);
    return presentOne(ctx, contact);
  },
  recordLists,
);
