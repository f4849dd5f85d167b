import * as z from 'zod';
import { tagFilters } from '#shared/domain/collaboration/tags/filters.ts';
import type { Order } from '#shared/domain/platform/postings/reader.ts';
import { moment } from '#shared/moments.ts';
import { requiredText } from '#shared/values.ts';

/** The query parameters that lists of records have in common. */

const MAX_TEXT = 500;

export const recordFilters = {
  query: requiredText(MAX_TEXT).optional().meta({
    description: 'Words, each of which matches by its beginning; all must match',
  }),
  ...tagFilters,
  updated_after: moment.optional().meta({ description: 'Records that were written after this time' }),
};

/** `order` when it is omitted: names from the first, moments from the newest. */
export const sorting = <Sort extends string>(sorts: readonly [Sort, ...Sort[]]) => ({
  sort: z
    .enum(sorts)
    .default(sorts[0])
    .meta({ description: `${sorts[0]} when omitted` }),
  order: z.enum(['asc', 'desc']).optional().meta({ description: 'asc when omitted, and desc for moments' }),
});

export function orderOf({ sort, order }: { sort: string; order?: Order | undefined }): Order {
  return order ?? (sort.endsWith('_at') ? 'desc' : 'asc');
}
