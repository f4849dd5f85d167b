import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { presentTags } from '#shared/domain/collaboration/tags/store.ts';
import { contactSchema, presentContact } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { findEnrichment } from '#shared/domain/crm/contacts/enrichment.ts';
import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
import { readAround, spacesOf } from '#shared/domain/crm/details/around.ts';
import { listTasksOf } from '#shared/domain/work/tasks/store.ts';

export const retrieveContact = route('retrieveContact', {
  method: 'GET',
  path: '/contacts/{id}',
  access: 'read',
  summary: 'Retrieve a contact',
  returns: { 200: { contact: contactSchema } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  retrieveContact,
  async ({ ctx, params }) => {
    const contact = await requireContact(ctx, params.id);
    const record = { type: 'contacts', id: contact.id } as const;
    const addresses = contact.email_addresses.map(({ email_address }) => email_address);
    const around = readAround(ctx);
    const [dictionary, comments, tasks, employers, spacesIn, mail, enrichment] = await Promise.all([
      around.tags,
      listRecordComments(ctx, record),
      listTasksOf(ctx, record),
      employersOf(ctx, [contact]),
      spacesOf(ctx, [contact], around),
      ctx.ports.interactionsWith(ctx, addresses),
      findEnrichment(ctx, contact.id),
    ]);
    const tags = presentTags(dictionary, contact.tag_ids ?? []);
    const extras = { tags, comments, tasks, employers, space_ids: spacesIn(contact), mail, enrichment };
    return { contact: presentContact(contact, ctx.caller.user, extras) };
  },
  { ...visibility, ...replies, ...interactions },
);
