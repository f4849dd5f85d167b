import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { retrieveContact as retrieve } from '#shared/domain/crm/contacts/retrieve.ts';

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
  async ({ ctx, params }) => ({ contact: await retrieve(ctx, params.id) }),
  { ...visibility, ...replies, ...interactions },
);
