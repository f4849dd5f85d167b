import { sortedIndex } from '#shared/domain/collaboration/custom-fields/filters.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { orderOf } from '#shared/domain/collaboration/record-lists/filters.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { GuardedItem, SeesLink } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Order } from '#shared/domain/platform/postings/reader.ts';
import { cursorsOf } from './cursors.ts';
import { forwardPage, sentFilters } from './shapes.ts';

/** Pages of a family's records by forward cursors, with sort and order. */

const PAGE = 50;

interface Asked {
  slice?: string | undefined;
  sort: string;
  order?: Order | undefined;
  next_cursor?: string | undefined;
}

interface Listing<R extends GuardedItem, Shown> {
  index: RecordIndex<R>;
  query: Asked;
  criteria: () => Promise<Criterion<R>[]>;
  /** For records with links. */
  seesLink?: SeesLink<R>;
  present(records: R[]): Promise<Shown[]>;
}

/** The collection that a list returns; 400 `invalid_cursor` for a cursor of another list, 400 and 422 as in `sortedIndex`. */
export async function recordPage<R extends GuardedItem, Shown>(
  ctx: CallerContext,
  { index, query, criteria, seesLink, present }: Listing<R, Shown>,
) {
  const filters = sentFilters({ ...query });
  const { slice = null, sort } = query;
  const order = orderOf(query);
  const scope = {
    list: `${index.type}:${slice ?? ''}:${sort}:${order}`,
    filters,
    user_id: ctx.caller.user.id,
  };
  const { after, cursorAt } = cursorsOf(ctx, scope, query.next_cursor);
  const [sorted, found] = await Promise.all([sortedIndex(ctx, index, sort), criteria()]);
  const asked = { ...sorted, criteria: found, order, ...(seesLink ? { seesLink } : {}) };
  const page = await findRecords(ctx, asked, { after, limit: PAGE });
  return {
    records: await present(page.rows),
    page_info: forwardPage(PAGE, cursorAt(page.next)),
    filters,
    slice_key: slice,
    sort,
    order,
  };
}
