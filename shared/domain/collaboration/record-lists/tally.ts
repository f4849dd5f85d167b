import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { type RecordIndex, tallyList } from './entry.ts';
import { ownersFor } from './plan.ts';
import { rankedValue, VALUED } from './ranks.ts';

/** Postings of the first read of each list. */
const PAGE = 1_000;

/**
 * How many of the records that the caller sees have each value, in one read for any number of values. Only values that
 * begin with `beginning`; those that no record has are missing.
 */
export async function tally<R extends GuardedItem>(
  ctx: CallerContext,
  index: RecordIndex<R>,
  name: string,
  beginning = '',
): Promise<Map<string, number>> {
  const from = `${VALUED}${beginning}`;
  const range = { list: tallyList(index.type, name), from, before: `${from}~` };
  const ranges = ownersFor(ctx, index).map((owner) => ({ owner, ...range }));
  const reading = { page_size: PAGE, max_steps: Number.POSITIVE_INFINITY };
  const counted = new Conjunction(ctx.table, [ranges], reading);
  const counts = new Map<string, number>();
  for (let next = await counted.next(); next; next = await counted.next()) {
    const value = rankedValue(next.SK);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}
