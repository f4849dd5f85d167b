import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { Table } from '#shared/table/table.ts';
import type { InOrder } from './in-order.ts';
import type { Query } from './matching.ts';
import { listsOfWord, type Plan, planIn } from './plan.ts';
import { idOf, withId } from './ranks.ts';
import { fewOf, listIn, MAX_SORTED } from './selected.ts';
import { rankedAfter } from './sorted.ts';

/**
 * What another order knows of the records that match, where the wanted order has no lists for a criterion. Up to 300 are read
 * whole and sorted. Otherwise the wanted order is read, and its records; beside them the ids of those that match, up to 10,000,
 * and when all are known, no other record is read (a hash join).
 */

/** Ids kept in memory; their postings cost 250 read units. */
const MOST_JOINED = 10_000;

/** Ids read beside records: in vain for a word of half. */
const JOINED_AT_ONCE = 2_000;

/** Where one list has so many times as many postings as another one, only the shorter one is read. */
const LEADS_FROM = 4;

/** Words have lists in one order, or two. */
export const areUnlisted = <R extends GuardedItem>({
  index,
  criteria,
  sort,
}: Pick<Query<R>, 'index' | 'criteria' | 'sort'>) =>
  listsOfWord(index, sort).length === 0 && criteria.some(({ terms }) => terms);

/** A posting of a word, and where its record is in other orders (`ranked_words`). */
type RankedPosting = Posting & { ranks?: Record<string, string> };

/** Learns from the lists of words which records match, while those of the wanted order are read. */
export class Join {
  readonly #words: Conjunction<RankedPosting>;
  readonly #found = new Map<string, RankedPosting['ranks']>();
  /** Each is in the lists of all words. */
  readonly #isSure: boolean;
  /** How often it may be read until it is asked again. */
  #reads = 0;

  constructor(table: Table, { clauses, exact }: Plan) {
    this.#isSure = exact && clauses.length === 1;
    this.#words = new Conjunction(table, clauses, {
      page_size: MAX_SORTED + 1,
      growth: Math.ceil(JOINED_AT_ONCE / MAX_SORTED),
      max_steps: Number.POSITIVE_INFINITY,
      few: MOST_JOINED,
      leads_from: LEADS_FROM,
      stops: () => this.#reads-- <= 0,
    });
  }

  /** Whether `keeps` is true for those that match alone. */
  get isKnown(): boolean {
    return this.#words.ended;
  }

  readonly keeps = ({ SK }: Posting): boolean => !this.isKnown || this.#found.has(idOf(SK));

  /** The ids of all, when they are known and few. */
  get few(): string[] | undefined {
    return this.isKnown && this.#found.size <= MAX_SORTED ? [...this.#found.keys()] : undefined;
  }

  async readOn(): Promise<void> {
    if (this.isKnown || this.#found.size > MOST_JOINED) return;
    this.#reads = 1;
    const postings = await this.#words.takeCandidates(JOINED_AT_ONCE);
    for (const { SK, ranks } of postings) this.#found.set(idOf(SK), ranks);
  }

  /** The same in the order of the query; undefined where their postings do not say it. */
  fewInOrder<R extends GuardedItem>(query: Query<R>): string[] | undefined {
    if (!this.#isSure || !this.few) return undefined;
    const ranked = [...this.#found].flatMap(([id, { [query.sort]: rank } = {}]) =>
      rank === undefined ? [] : [withId(rank, id)],
    );
    if (ranked.length < this.#found.size) return undefined;
    return rankedAfter(query, ranked, undefined, (rank) => rank).map(idOf);
  }
}

/** Whether all that is wanted has been read. */
const hasRead = ({ exact, lists: [first] }: InOrder, wanted: number) =>
  exact && first !== undefined && first.ready >= wanted;

/** The other order that a criterion has a range of. */
function orderOfRange<R extends GuardedItem>({ index, criteria, sort }: Query<R>): string | undefined {
  const isNarrow = index.narrow?.includes(sort);
  const [other] = criteria.flatMap(({ range }) => {
    const order = range?.order ?? (isNarrow ? index.words_by : sort);
    // Not every type is listed in every order that its moments have.
    return order === sort || !(order in index.orders) ? [] : [order];
  });
  return other;
}

/** The ids of all records that match, or how they become known. */
interface Known {
  ids?: string[] | undefined;
  join?: Join;
}

interface Wanted {
  inOrder: InOrder;
  wanted: number;
}

/** Begins to read the other order beside the wanted one. */
export async function knownByOther<R extends GuardedItem>(
  ctx: CallerContext,
  query: Query<R>,
  { inOrder, wanted }: Wanted,
): Promise<Known> {
  const { index, criteria } = query;
  const ids = criteria.find((criterion) => criterion.ids)?.ids;
  if (ids) return { ids };
  const [first] = inOrder.lists;
  if (areUnlisted(query)) {
    const join = new Join(ctx.table, planIn(ctx, index, criteria, index.words_by));
    await Promise.all([join.readOn(), first?.readOnce()]);
    return { ids: join.few, join };
  }
  const order = orderOfRange(query);
  if (order === undefined) return {};
  const other = listIn(ctx, query, order);
  await Promise.all([other.readOnce(), first?.readOnce()]);
  return hasRead(inOrder, wanted) ? {} : { ids: await fewOf(other) };
}
