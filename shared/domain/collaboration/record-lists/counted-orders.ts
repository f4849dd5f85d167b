import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Bounds, readRange } from '#shared/domain/platform/postings/reader.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Criterion } from './criteria.ts';
import { countsBefore } from './day-counters.ts';
import { ALL, listName, type RankedDay, type RecordIndex } from './entry.ts';
import { ownersFor } from './plan.ts';
import { momentIn, VALUED } from './ranks.ts';

/**
 * Orders whose records are counted by their days, in UTC: how many are in a range follows from counters, and from the
 * postings of the days in which it begins and ends.
 */

const DAY_LENGTH = '2026-11-23'.length;

const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, DAY_LENGTH);

/** The day of a rank with a value. */
export const rankedDay = (ranked: RankedDay, rank: string) =>
  ranked === 'moment' ? dayOf(momentIn(rank)) : rank.slice(VALUED.length, VALUED.length + DAY_LENGTH);

/** A range of an order that is counted. */
export type CountedRange = { order: string } & Bounds;

/** The range that all criteria are, if an order counts it. */
export function countedRange<R extends GuardedItem>(
  { counted_orders = {} }: RecordIndex<R>,
  criteria: Criterion<R>[],
): CountedRange | undefined {
  const [range, ...others] = criteria.map((criterion) => (criterion.rough ? undefined : criterion.range));
  return range && others.length === 0 && range.order in counted_orders ? range : undefined;
}

/** The day before which a bound has records by counters alone; those of a moment have more in its day. */
function dayBelow(ranked: RankedDay | undefined, bound: string): string {
  return ranked === 'moment' ? dayOf(momentIn(bound)) : bound.slice(VALUED.length);
}

/** How many records are in the day of a bound, and below the bound. */
async function countInDay<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  order: string,
  before: string,
): Promise<number> {
  const from = `${VALUED}${timeRank(Date.parse(dayOf(momentIn(before))))}`;
  const list = listName(index.type, order, ALL);
  const found = await Promise.all(
    ownersFor(ctx, index).map((owner) => readRange(ctx.table, { owner, list, from, before })),
  );
  return found.flat().filter(({ SK }) => SK < before).length;
}

/** How many records that the caller sees are in the range. */
export async function countInRange<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  { order, from = VALUED, before }: CountedRange,
): Promise<number> {
  const ranked = index.counted_orders?.[order];
  const bounds = [before, ...(from > VALUED ? [from] : [])];
  const days = bounds.map((bound) => (bound === undefined ? undefined : dayBelow(ranked, bound)));
  const [whole, within] = await Promise.all([
    countsBefore(ctx, index.type, order, days),
    Promise.all(
      bounds.map((bound) =>
        ranked === 'moment' && bound !== undefined ? countInDay(ctx, index, order, bound) : 0,
      ),
    ),
  ]);
  const [upper = 0, lower = 0] = whole.map((count, i) => count + (within[i] ?? 0));
  // Records may change between the reads.
  return Math.max(0, upper - lower);
}
