import * as z from 'zod';
import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { forwardCursor, forwardPage, sortedCursorCollection } from '#shared/api/shapes.ts';
import { presentTags, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { contactSchema, presentContact } from '#shared/domain/crm/contacts/contact.ts';
import { listContacts as findContacts } from '#shared/domain/crm/contacts/store.ts';

const PAGE = 50;

export const listContacts = route('listContacts', {
  method: 'GET',
  path: '/contacts',
  access: 'read',
  summary: 'List contacts',
  description: 'The contacts that the key sees, 50 a page, by name without regard to case and accents.',
  query: {
    sort: z.enum(['name']).default('name'),
    order: z.enum(['asc', 'desc']).default('asc'),
    ...forwardCursor,
  },
  returns: { 200: { collection: sortedCursorCollection(contactSchema) } },
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listContacts, async ({ ctx, query }) => {
  const { sort, order, next_cursor } = query;
  const scope = { list: `contacts:${sort}:${order}`, filters: null, user_id: ctx.caller.user.id };
  const { after, cursorAt } = cursorsOf(ctx, scope, next_cursor);
  const [{ contacts, next }, tags] = await Promise.all([
    findContacts(ctx, { order, after, limit: PAGE }),
    tagDictionary(ctx.table, ctx.caller.account.id),
  ]);
  return {
    collection: {
      records: contacts.map((contact) =>
        presentContact(contact, { tags: presentTags(tags, contact.tag_ids ?? []), comments: null }),
      ),
      page_info: forwardPage(PAGE, cursorAt(next)),
      filters: null,
      slice_key: null,
      sort,
      order,
    },
  };
});
