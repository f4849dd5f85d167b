import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { presentTags, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { contactSchema, presentContact } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { requireContact } from '#shared/domain/crm/contacts/policy.ts';
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
    const { table } = ctx;
    const contact = await requireContact(ctx, params.id);
    const record = { type: 'contacts', id: contact.id } as const;
    const addresses = contact.email_addresses.map(({ email_address }) => email_address);
    const [dictionary, comments, tasks, employers, mail] = await Promise.all([
      tagDictionary(table, ctx.caller.account.id),
      listRecordComments(ctx, record),
      listTasksOf(ctx, record),
      employersOf(ctx, [contact]),
      ctx.ports.interactionsWith(ctx, addresses),
    ]);
    const tags = presentTags(dictionary, contact.tag_ids ?? []);
    const extras = { tags, comments, tasks, employers, mail };
    return { contact: presentContact(contact, ctx.caller.user, extras) };
  },
  { ...visibility, ...replies, ...interactions },
);
