import { handle } from '#shared/api/handle.ts';
import { recordPage } from '#shared/api/record-page.ts';
import { route } from '#shared/api/route.ts';
import { forwardCursor, sortedCursorCollection } from '#shared/api/shapes.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { sortingByFields } from '#shared/domain/collaboration/record-lists/filters.ts';
import { peopleSorts } from '#shared/domain/collaboration/record-lists/orders.ts';
import { metOrganizations } from '#shared/domain/crm/contacts/met.ts';
import { employersOfContact } from '#shared/domain/crm/contacts/policy.ts';
import { employersSince } from '#shared/domain/crm/contacts/recent.ts';
import { readAround } from '#shared/domain/crm/details/around.ts';
import { organizationCriteria, organizationFilters } from '#shared/domain/crm/organizations/filters.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import { organizationSchema } from '#shared/domain/crm/organizations/organization.ts';
import { presentOrganizations } from '#shared/domain/crm/organizations/present.ts';

export const listOrganizations = route('listOrganizations', {
  method: 'GET',
  path: '/organizations',
  access: 'read',
  summary: 'List organizations',
  description:
    'The organizations that the key’s user sees, 50 a page. Names are sorted without regard to case and accents. A page may be shorter when few organizations match the filters: continue while `has_more_after` is true.',
  query: { ...organizationFilters, ...sortingByFields(peopleSorts), ...forwardCursor },
  returns: { 200: { collection: sortedCursorCollection(organizationSchema) } },
  errors: ['record_not_found', 'custom_field_indexing'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listOrganizations,
  async ({ ctx, query }) => {
    const around = readAround(ctx);
    const collection = await recordPage(ctx, {
      index: organizationIndex,
      query,
      criteria: (granted) =>
        organizationCriteria(ctx, query, {
          tags: around.tags,
          employersOf: (id) => employersOfContact(ctx, id),
          metSince: (since) => employersSince(ctx, since, around),
          granted,
        }),
      met: () => metOrganizations(ctx, around.spaces),
      present: (organizations) => presentOrganizations(ctx, organizations, around),
    });
    return { collection };
  },
  interactions,
);
