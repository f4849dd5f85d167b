import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { countPages } from '#shared/domain/platform/postings/count.ts';
import { LARGEST_PAGE } from '#shared/domain/platform/postings/reader.ts';
import { countedRange, countInRange } from './counted-orders.ts';
import { readCount } from './counters.ts';
import type { Criterion } from './criteria.ts';
import { countBefore } from './day-counters.ts';
import { ALL, type RecordIndex } from './entry.ts';
import { type Query, readMatching } from './matching.ts';
import { readOthers } from './others.ts';
import { packedClauses, readPacked } from './packed.ts';
import { type Plan, planIn } from './plan.ts';
import { idsOf } from './ranks.ts';

/** Counts the records that the caller sees and that match all criteria. */

/** Postings counted together, and records checked together. */
const PLACES = 10_000;
const ROWS = 500;
/** Postings of the first read; without a cap all are read. */
const PAGE = 1_000;

type Counted<R extends GuardedItem> = Pick<Query<R>, 'index' | 'criteria' | 'seesLink'>;

/** The counted list that has all records that match, and no others. */
function countedList<R extends GuardedItem>({ index, criteria }: Counted<R>): string | undefined {
  const [first, ...others] = criteria;
  if (others.length > 0) return undefined;
  const { lists = [], personal, rough }: Partial<Criterion<R>> = first ?? { lists: [ALL] };
  const [list, ...further] = lists;
  if (list === undefined || further.length > 0 || personal || rough) return undefined;
  return index.counted?.(list) ? list : undefined;
}

/** The days of the only criterion, whose records a list counts by them. */
export function datedAlone<R extends GuardedItem>({ criteria }: Pick<Counted<R>, 'criteria'>) {
  const [first, ...others] = criteria;
  return others.length === 0 && !first?.rough ? first?.dated : undefined;
}

/** The order in whose lists the criteria are exact, if there is one. */
function bestPlan<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  criteria: Criterion<R>[],
): Plan {
  const orders = [
    ...criteria.flatMap(({ range, parts = [] }) =>
      [...parts, ...(range ? [range] : [])].map(({ order }) => order),
    ),
    index.words_by,
  ].filter((order) => order in index.orders);
  const plans = orders.map((order) => planIn(ctx, index, criteria, order));
  // Words leave fewer records to check than a time does.
  const narrowest = criteria.some(({ terms }) => terms) ? -1 : 0;
  return plans.find(({ exact }) => exact) ?? (plans.at(narrowest) as Plan);
}

/** Exact without `cap`, and up to it (docs/specification/requests.md, "Counts"). */
export async function countRecords<R extends GuardedItem>(
  ctx: CallerContext,
  query: Counted<R>,
  cap: number | undefined,
) {
  const most = cap ?? Number.POSITIVE_INFINITY;
  const [listed, others] = await Promise.all([countUpTo(ctx, query, most), readOthers(ctx, query)]);
  const total = listed + others.length;
  const capped = cap !== undefined && total >= cap;
  return { total: capped ? cap : total, exact: !capped, capped, cap: cap ?? null };
}

async function countUpTo<R extends GuardedItem>(
  ctx: CallerContext,
  query: Counted<R>,
  most: number,
): Promise<number> {
  const counted = countedList(query);
  if (counted !== undefined) return readCount(ctx, query.index.type, counted);
  const dated = datedAlone(query);
  if (dated) return countBefore(ctx, query.index.type, dated);
  const range = countedRange(query.index, query.criteria);
  if (range) return countInRange(ctx, query.index, range);
  const packed = packedClauses(query.index, query.criteria);
  if (packed) return (await readPacked(ctx, query.index, packed)).size;
  const known = query.criteria.find(({ ids }) => ids)?.ids;
  if (known) return (await readMatching(ctx, query, known)).length;
  const { clauses, exact } = bestPlan(ctx, query.index, query.criteria);
  const whole = clauses.map((ranges) => ranges.map(({ first: _, ...range }) => range));
  const page_size = Number.isFinite(most) ? PAGE : LARGEST_PAGE;
  const found = new Conjunction(ctx.table, whole, { page_size, max_steps: Number.POSITIVE_INFINITY });
  return countPages(found, { cap: most, largest: exact ? PLACES : ROWS }, async (postings) =>
    exact ? postings.length : (await readMatching(ctx, query, idsOf(postings))).length,
  );
}
