import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { forwardCursor, forwardPage, sentFilters, sortedCursorCollection } from '#shared/api/shapes.ts';
import { orderOf, sorting } from '#shared/domain/collaboration/record-lists/filters.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { presentTags, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { contactSchema, presentContact } from '#shared/domain/crm/contacts/contact.ts';
import { contactCriteria, contactFilters } from '#shared/domain/crm/contacts/filters.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';

const PAGE = 50;

export const listContacts = route('listContacts', {
  method: 'GET',
  path: '/contacts',
  access: 'read',
  summary: 'List contacts',
  description:
    'The contacts that the key’s user sees, 50 a page. Names are sorted without regard to case and accents. A page may be shorter when few contacts match the filters: continue while `has_more_after` is true.',
  query: { ...contactFilters, ...sorting(['name', 'created_at', 'updated_at']), ...forwardCursor },
  returns: { 200: { collection: sortedCursorCollection(contactSchema) } },
  errors: ['record_not_found'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listContacts, async ({ ctx, query }) => {
  const filters = sentFilters(query);
  const { slice = null, sort } = query;
  const order = orderOf(query);
  const scope = { list: `contacts:${slice ?? ''}:${sort}:${order}`, filters, user_id: ctx.caller.user.id };
  const { after, cursorAt } = cursorsOf(ctx, scope, query.next_cursor);
  const tags = tagDictionary(ctx.table, ctx.caller.account.id);
  const criteria = await contactCriteria(ctx, query, tags);
  const page = await findRecords(ctx, { index: contactIndex, criteria, sort, order }, { after, limit: PAGE });
  const dictionary = await tags;
  return {
    collection: {
      records: page.rows.map((contact) =>
        presentContact(contact, ctx.caller.user, {
          tags: presentTags(dictionary, contact.tag_ids ?? []),
          comments: null,
        }),
      ),
      page_info: forwardPage(PAGE, cursorAt(page.next)),
      filters,
      slice_key: slice,
      sort,
      order,
    },
  };
});
