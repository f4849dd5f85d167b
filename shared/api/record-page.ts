import { sortedIndex } from '#shared/domain/collaboration/custom-fields/filters.ts';
import { findByEncounter, type Met } from '#shared/domain/collaboration/record-lists/by-encounter.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { orderOf } from '#shared/domain/collaboration/record-lists/filters.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import { type Granted, takingForGranted } from '#shared/domain/collaboration/record-lists/granted.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { LAST_INTERACTION } from '#shared/domain/collaboration/record-lists/orders.ts';
import type { SeesLink } from '#shared/domain/collaboration/records/policy.ts';
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

interface Listing<R extends ListedItem, Shown> {
  index: RecordIndex<R>;
  query: Asked;
  criteria: (granted: Granted) => Promise<Criterion<R>[]>;
  /** For records with links. */
  seesLink?: SeesLink<R>;
  present(records: R[]): Promise<Shown[]>;
  /** Begins to read what they show. */
  expect?: (records: R[]) => void;
  /** For types that are sorted by their last interactions. */
  met?: () => Met<R>;
}

/** The collection that a list returns; 400 `invalid_cursor` for a cursor of another list, 400 and 422 as in `sortedIndex`. */
export async function recordPage<R extends ListedItem, Shown>(
  ctx: CallerContext,
  { index, query, criteria, seesLink, present, expect, met }: Listing<R, Shown>,
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
  const page = await takingForGranted(async (granted) => {
    const [sorted, found] = await Promise.all([
      sortedIndex(ctx, index, { sort, granted }),
      criteria(granted),
    ]);
    const asked = {
      ...sorted,
      criteria: found,
      order,
      ...(seesLink ? { seesLink } : {}),
      ...(expect ? { expect } : {}),
    };
    const paging = { after, limit: PAGE };
    return met && sort === LAST_INTERACTION
      ? findByEncounter(ctx, { ...asked, met: met() }, paging)
      : findRecords(ctx, asked, paging);
  });
  return {
    records: await present(page.rows),
    page_info: forwardPage(PAGE, cursorAt(page.next)),
    filters,
    slice_key: slice,
    sort,
    order,
  };
}
