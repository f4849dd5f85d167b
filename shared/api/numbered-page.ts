import * as z from 'zod';
import { sortedIndex } from '#shared/domain/collaboration/custom-fields/filters.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { Granted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { findNumbered } from '#shared/domain/collaboration/record-lists/numbered.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Order } from '#shared/domain/platform/postings/reader.ts';
import { pageCollection, pagesOf, sentFilters } from './shapes.ts';

/** Pages of a family's records by page numbers, with slice, sort and order. */

export const numberedCollection = <T extends z.ZodType>(record: T) =>
  pageCollection(record).extend({ slice_key: z.string().nullable() });

interface Asked {
  slice?: string | undefined;
  sort: string;
  order: Order;
  page: number;
  per_page: number;
}

interface Listing<R extends GuardedItem, Shown> {
  index: RecordIndex<R>;
  query: Asked;
  criteria: Criterion<R>[];
  granted: Granted;
  present(records: R[]): Promise<Shown[]>;
}

/** The collection that a list returns. 400 and 422 as in `sortedIndex`. */
export async function numberedPage<R extends GuardedItem, Shown>(
  ctx: CallerContext,
  { index, query, criteria, granted, present }: Listing<R, Shown>,
) {
  const { slice = null, sort, order, page, per_page } = query;
  const sorted = await sortedIndex(ctx, index, { sort, granted });
  const { rows, total } = await findNumbered(ctx, { ...sorted, criteria, order }, { page, per_page });
  return {
    records: await present(rows),
    ...pagesOf(total, { page, per_page }),
    filters: sentFilters({ ...query }),
    slice_key: slice,
    sort,
    order,
  };
}
