import { begun } from '#shared/begun.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import { LARGEST_PAGE, type OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import type { Criterion } from './criteria.ts';
import { type Before, type Period, periodsBefore, periodWord, usualPeriods } from './day-counters.ts';
import { listName, wordList } from './entry.ts';
import { type Query, readMatching } from './matching.ts';
import { type Found, listsOfPart, type Part, readPart, sortedPart } from './part.ts';
import { type Plan, planIn } from './plan.ts';
import { idsOf } from './ranks.ts';
import { fewIn } from './selected.ts';
import { rangesOf } from './sorted.ts';

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

/** The list of a period in the wanted order. */
const rangeIn = <R extends GuardedItem>(
  { index, sort }: Query<R>,
  { list }: Before,
  { owner, name }: Pick<Period, 'owner' | 'name'>,
): OwnedRange => ({ owner, list: listName(index.type, sort, wordList(periodWord(list, name))) });

/** Of a period's share of the wanted records, what is read of it at first: some more, as shares vary. */
const firstOf = (share: number) => Math.min(Math.ceil(2 * share) + 12, LARGEST_PAGE);

/** The lists of all periods that have such records; undefined where the order has none, or there are too many. */
function planOf<R extends GuardedItem>(
  query: Query<R>,
  dated: Before,
  { periods, total, wanted }: { periods: Period[]; total: number; wanted: number },
): Plan | undefined {
  if (query.sort !== query.index.words_by || periods.length > MAX_PERIODS) return undefined;
  const ranges = periods.map((period) => ({
    ...rangeIn(query, dated, period),
    first: firstOf((wanted * period.count) / total),
  }));
  return { clauses: [ranges], exact: true };
}

/** Up to so many records are looked for before it is known in which periods there are some. */
const GUESSED = 100;

/**
 * The ids of the part by the lists of the usual periods, each of which may have all of it; undefined where that was not
 * tried, or there are records in others.
 */
function guessed<R extends GuardedItem>(
  { table, caller: { account, user } }: CallerContext,
  query: Query<R>,
  dated: Before,
  { skip, limit }: Part,
) {
  const wanted = skip + limit;
  if (query.sort !== query.index.words_by || wanted > GUESSED) return undefined;
  const names = usualPeriods(dated.before);
  const ranges = [account.id, user.id].flatMap((owner) =>
    names.map((name) => ({ ...rangeIn(query, dated, { owner, name }), first: wanted + 1 })),
  );
  const reading = { page_size: wanted + 1, max_steps: 1, order: query.order };
  const ids = begun(new Conjunction(table, [ranges], reading).take(wanted).then(idsOf));
  const isKnown = (periods: Period[]) => periods.every(({ name }) => names.includes(name));
  return async (periods: Period[]) => (isKnown(periods) ? (await ids).slice(skip) : undefined);
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
  const guess = guessed(ctx, query, dated, part);
  const [first, few, periods] = await Promise.all([
    guess ? undefined : begin(ctx, query, { ...part, plan }),
    fewIn(ctx, query, dated.order, FEW),
    periodsBefore(ctx, index.type, dated),
  ]);
  const total = periods.reduce((sum, { count }) => sum + count, 0);
  if (few) return sortedPart(ctx, query, few, part);
  const ids = first ?? (await guess?.(periods));
  if (ids) return { rows: await readMatching(ctx, query, ids), total };
  const merged = planOf(query, dated, { periods, total, wanted: part.skip + part.limit });
  const more = merged || total > FEW_UNLISTED;
  const all = more ? undefined : await fewIn(ctx, query, dated.order, FEW_UNLISTED);
  if (all) return sortedPart(ctx, query, all, part);
  return { rows: await readPart(ctx, query, part, listsOfPart(ctx, query, part, merged ?? plan)), total };
}
