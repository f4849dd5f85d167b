import { handle } from '#shared/api/handle.ts';
import { recordPage } from '#shared/api/record-page.ts';
import { route } from '#shared/api/route.ts';
import { forwardCursor, sortedCursorCollection } from '#shared/api/shapes.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { sortingByFields } from '#shared/domain/collaboration/record-lists/filters.ts';
import { peopleSorts } from '#shared/domain/collaboration/record-lists/orders.ts';
import { contactSchema } from '#shared/domain/crm/contacts/contact.ts';
import { employerIds } from '#shared/domain/crm/contacts/employer-ids.ts';
import { employersAhead } from '#shared/domain/crm/contacts/employers-ahead.ts';
import { contactCriteria, contactFilters } from '#shared/domain/crm/contacts/filters.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { metContacts } from '#shared/domain/crm/contacts/met.ts';
import { presentContacts } from '#shared/domain/crm/contacts/present.ts';
import { readAround } from '#shared/domain/crm/details/around.ts';

export const listContacts = route('listContacts', {
  method: 'GET',
  path: '/contacts',
  access: 'read',
  summary: 'List contacts',
  description:
    'The contacts that the key’s user sees, 50 a page. Names are sorted without regard to case and accents. A page may be shorter when few contacts match the filters: continue while `has_more_after` is true.',
  query: { ...contactFilters, ...sortingByFields(peopleSorts), ...forwardCursor },
  returns: { 200: { collection: sortedCursorCollection(contactSchema) } },
  errors: ['record_not_found', 'custom_field_indexing'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listContacts,
  async ({ ctx, query }) => {
    const around = { ...readAround(ctx), employers: employersAhead(ctx) };
    const collection = await recordPage(ctx, {
      index: contactIndex,
      query,
      criteria: (granted) => contactCriteria(ctx, query, { ...around, granted }),
      expect: (contacts) => around.employers.expect(contacts.flatMap(employerIds)),
      met: () => metContacts(ctx, around),
      present: (contacts) => presentContacts(ctx, contacts, around),
    });
    return { collection };
  },
  interactions,
);
