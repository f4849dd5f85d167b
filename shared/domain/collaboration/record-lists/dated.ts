import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import { LARGEST_PAGE } from '#shared/domain/platform/postings/reader.ts';
import type { Criterion } from './criteria.ts';
import { type Before, type Period, periodsBefore, periodWord } from './day-counters.ts';
import { listName, wordList } from './entry.ts';
import { rangesOf } from './find.ts';
import { type Query, readMatching } from './matching.ts';
import { type Found, listsOfPart, type Part, readPart, sortedPart } from './part.ts';
import { type Plan, planIn } from './plan.ts';
import { idsOf } from './ranks.ts';
import { fewIn } from './selected.ts';

/** Records of a list before a day, in another order than by that day. */

/** Postings of the first read. */
const FIRST_READ = 200;
/** Up to so many records are read whole and sorted; and in an order that has no lists of periods. */
const FEW = 50;
const FEW_UNLISTED = 150;
/** Lists of periods that are merged at most; a read each. */
const MAX_PERIODS = 100;

type Days<R extends GuardedItem> = NonNullable<Criterion<R>['dated']>;

/** The ids of the part, when one read of the wanted order has them all. */
async function begin<R extends GuardedItem>(
  { table }: CallerContext,
  query: Query<R>,
  { plan, skip, limit }: Part & { plan: Plan },
): Promise<string[] | undefined> {
  const [first = {}] = rangesOf(query, undefined);
  const reading = { page_size: FIRST_READ, max_steps: 1, order: query.order };
  const found = new Conjunction(table, narrowed(plan.clauses, first), reading);
  const ids = idsOf(await found.take(skip + limit));
  return ids.length === skip + limit ? ids.slice(skip) : undefined;
}

/** Of a period's share of the wanted records, what is read of it at first: some more, as shares vary. */
const firstOf = (share: number) => Math.min(Math.ceil(2 * share) + 12, LARGEST_PAGE);

/** The lists of all periods that have such records; undefined where the order has none, or there are too many. */
function planOf<R extends GuardedItem>(
  { index, sort }: Query<R>,
  { list }: Before,
  { periods, total, wanted }: { periods: Period[]; total: number; wanted: number },
): Plan | undefined {
  if (sort !== index.words_by || periods.length > MAX_PERIODS) return undefined;
  const ranges = periods.map(({ owner, name, count }) => ({
    owner,
    list: listName(index.type, sort, wordList(periodWord(list, name))),
    first: firstOf((wanted * count) / total),
  }));
  return { clauses: [ranges], exact: true };
}

/** The counters of days say how many there are, and in which lists. */
export async function findDated<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  dated: Days<R>,
  part: Part,
): Promise<Found<R>> {
  const { index, criteria, sort } = query;
  const plan = planIn(ctx, index, criteria, sort);
  const [ids, few, periods] = await Promise.all([
    begin(ctx, query, { ...part, plan }),
    fewIn(ctx, query, dated.order, FEW),
    periodsBefore(ctx, index.type, dated),
  ]);
  const total = periods.reduce((sum, { count }) => sum + count, 0);
  if (ids) return { rows: await readMatching(ctx, query, ids), total };
  if (few) return sortedPart(ctx, query, few, part);
  const merged = planOf(query, dated, { periods, total, wanted: part.skip + part.limit });
  const more = merged || total > FEW_UNLISTED;
  const all = more ? undefined : await fewIn(ctx, query, dated.order, FEW_UNLISTED);
  if (all) return sortedPart(ctx, query, all, part);
  return { rows: await readPart(ctx, query, part, listsOfPart(ctx, query, part, merged)), total };
}
