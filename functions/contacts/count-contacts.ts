import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { countUpTo } from '#shared/api/shapes.ts';
import { begun } from '#shared/begun.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { contactCriteria, contactFilters } from '#shared/domain/crm/contacts/filters.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { countSchema } from '#shared/values.ts';

export const countContacts = route('countContacts', {
  method: 'GET',
  path: '/contacts/count',
  access: 'read',
  summary: 'Count contacts',
  description:
    'Counts the contacts of the list with the same filters. Exact without `cap`; counting stops at the cap.',
  query: { ...contactFilters, ...countUpTo },
  returns: { 200: { count: countSchema } },
  errors: ['record_not_found', 'custom_field_indexing'],
  uses: ['table:read'],
});

export const handler = handle(
  countContacts,
  async ({ ctx, query }) => {
    const tags = begun(tagDictionary(ctx.table, ctx.caller.account.id));
    const criteria = await contactCriteria(ctx, query, { tags });
    return { count: await countRecords(ctx, { index: contactIndex, criteria }, query.cap) };
  },
  interactions,
);
