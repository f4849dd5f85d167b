import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { countUpTo } from '#shared/api/shapes.ts';
import { begun } from '#shared/begun.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { employersOfContact } from '#shared/domain/crm/contacts/policy.ts';
import { employersSince } from '#shared/domain/crm/contacts/recent.ts';
import { organizationCriteria, organizationFilters } from '#shared/domain/crm/organizations/filters.ts';
import { organizationIndex } from '#shared/domain/crm/organizations/lists.ts';
import { countSchema } from '#shared/values.ts';

export const countOrganizations = route('countOrganizations', {
  method: 'GET',
  path: '/organizations/count',
  access: 'read',
  summary: 'Count organizations',
  description:
    'Counts the organizations of the list with the same filters. Exact without `cap`; counting stops at the cap.',
  query: { ...organizationFilters, ...countUpTo },
  returns: { 200: { count: countSchema } },
  errors: ['record_not_found', 'custom_field_indexing'],
  uses: ['table:read'],
});

export const handler = handle(
  countOrganizations,
  async ({ ctx, query }) => {
    const tags = begun(tagDictionary(ctx.table, ctx.caller.account.id));
    const criteria = await organizationCriteria(ctx, query, {
      tags,
      employersOf: (id) => employersOfContact(ctx, id),
      metSince: (since) => employersSince(ctx, since),
    });
    return { count: await countRecords(ctx, { index: organizationIndex, criteria }, query.cap) };
  },
  interactions,
);
