import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { searching } from '#shared/composition/searching.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { several, valuesOf } from '#shared/domain/collaboration/record-lists/several.ts';
import { type SearchType, searchTypes } from '#shared/domain/insight/search/kind.ts';
import { queryOf } from '#shared/domain/insight/search/query.ts';
import { presentSearch, searchSchema } from '#shared/domain/insight/search/result.ts';
import { pageSize, requiredText } from '#shared/values.ts';

export const searchRecords = route('searchRecords', {
  method: 'GET',
  path: '/search',
  access: 'read',
  summary: 'Search all records',
  description:
    'The records that the key’s user sees and in which all words of the query are found, by their beginnings, without case and accents. Those whose address, domain or `external_id` is the query come first, then those that are called so, then subjects and titles, then other texts, at last threads by the whole text of a message in a mailbox that the user reads; among equals the newest first.',
  query: {
    query: requiredText(500).meta({ description: 'Words, all of which must match by their beginnings' }),
    types: several(z.enum(searchTypes))
      .optional()
      .meta({ description: 'Types of records, separated by commas; all when omitted' }),
    page: pageSize(Number.MAX_SAFE_INTEGER).default(1).meta({ description: 'From 1' }),
    limit: pageSize(50).default(20),
  },
  returns: { 200: { search: searchSchema } },
  uses: ['table:read'],
});

const typesOf = (sent: string | undefined): readonly SearchType[] => {
  const wanted = sent === undefined ? searchTypes : valuesOf(sent);
  return searchTypes.filter((type) => (wanted as readonly string[]).includes(type));
};

export const handler = handle(
  searchRecords,
  async ({ ctx, query: { query, types, page, limit } }) => ({
    search: await presentSearch({ ctx, types: typesOf(types), query: queryOf(query), page, limit }),
  }),
  { ...visibility, ...searching },
);
