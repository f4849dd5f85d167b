import { holdersOf } from './holders.ts';
import { type Hit, READ_BEFORE, type SearchContext, type SearchesRecords, type SearchType } from './kind.ts';
import { type Found, Merge, nameOf, type TypedSource } from './merge.ts';
import type { SearchQuery } from './query.ts';
import { tierOf } from './texts.ts';
import { type Place, TIER, type Tier } from './tiers.ts';

/** A page of the records that match a query, the best first (docs/decisions/0081). */

export interface Search {
  ctx: SearchContext & { ports: SearchesRecords };
  types: readonly SearchType[];
  query: SearchQuery;
  page: number;
  limit: number;
}

export type Result = Hit & Place & { type: SearchType };

export interface ResultPage {
  results: Result[];
  has_more: boolean;
  /** Null where they were not all read. */
  total: number | null;
}

/** Candidates that are skipped together. */
const SKIPPED = 5_000;

/** The records as they are, in the order of the candidates, if they match no worse than this. */
async function readResults({ ctx, query }: Search, found: Found[], worst: Tier): Promise<Result[]> {
  const kinds = ctx.ports.searchables;
  const unread = Map.groupBy(
    found.filter(({ hit }) => !hit),
    ({ type }) => type,
  );
  const read = await Promise.all(
    [...unread].map(async ([type, some]) => {
      const ids = some.map(({ id }) => id);
      const hits = await kinds[type].read(ctx, ids);
      return hits.map((hit) => [nameOf({ type, id: hit.id }), hit] as const);
    }),
  );
  const hits = new Map(read.flat());
  return found.flatMap(({ hit: known, exact, ...place }) => {
    const hit = known ?? hits.get(nameOf(place));
    const tier = hit && tierOf(hit.texts, query, kinds[place.type].named);
    return hit && tier !== undefined && tier <= worst ? [{ ...hit, ...place }] : [];
  });
}

/** What is read, one after the other. */
function stagesOf(
  { ctx, types, query, page, limit }: Search,
  seen: ReadonlySet<string>,
): { worst: Tier; sources: TypedSource[] }[] {
  const wanted = Math.min(page * limit + 1, SKIPPED);
  const each = types.map((type) => ({ type, kind: ctx.ports.searchables[type] }));
  return [
    {
      worst: TIER.title,
      sources: each.flatMap(({ type, kind }) =>
        [holdersOf(ctx, kind, query), ...kind.titled(ctx, query, wanted)].map((source) => ({ type, source })),
      ),
    },
    {
      worst: TIER.text,
      sources: each.flatMap(({ type, kind }) =>
        kind.mentioning(ctx, query, wanted).map((source) => ({ type, source })),
      ),
    },
    {
      worst: TIER.whole_text,
      sources: each.flatMap(({ type, kind }) => {
        const isGiven = (id: string) => seen.has(nameOf({ type, id }));
        return (kind.within?.(ctx, query, isGiven) ?? []).map((source) => ({ type, source }));
      }),
    },
  ];
}

/** Collects one page. */
class Pager {
  readonly results: Result[] = [];
  readonly #search: Search;
  readonly #skip: number;
  #passed = 0;
  #unread = false;

  constructor(search: Search) {
    this.#search = search;
    this.#skip = (search.page - 1) * search.limit;
  }

  /** Candidates to look at next; 0 when the page is full, and it is known that there is more. */
  get wanted(): number {
    const before = this.#skip - this.#passed;
    if (before > 0 && this.#skip > READ_BEFORE) return Math.min(before, SKIPPED);
    return before + this.#search.limit + 1 - this.results.length;
  }

  /** How many lie before the page, and are not read where their lists decide. */
  #mayPass(found: Found[]): boolean {
    return this.#skip > READ_BEFORE && this.#passed + found.length <= this.#skip;
  }

  /** Returns those that do not match as their lists say. */
  async add(found: Found[], worst: Tier): Promise<Found[]> {
    const read = this.#mayPass(found) ? found.filter(({ exact }) => !exact) : found;
    this.#passed += found.length - read.length;
    this.#unread ||= read.length < found.length;
    const results = await readResults(this.#search, read, worst);
    const before = Math.min(this.#skip - this.#passed, results.length);
    this.#passed += before;
    this.results.push(...results.slice(before));
    const kept = new Set(results.map(nameOf));
    return read.filter((each) => !kept.has(nameOf(each)));
  }

  page(): ResultPage {
    const { limit } = this.#search;
    const has_more = this.results.length > limit;
    const total = has_more || this.#unread ? null : this.#passed + this.results.length;
    return { results: this.results.slice(0, limit), has_more, total };
  }
}

export async function search(asked: Search): Promise<ResultPage> {
  const pager = new Pager(asked);
  const seen = new Set<string>();
  for (const { worst, sources } of stagesOf(asked, seen)) {
    const merge = new Merge(sources, seen);
    while (pager.wanted > 0) {
      const found = await merge.take(pager.wanted);
      if (found.length === 0) break;
      // They may match by other texts.
      for (const each of await pager.add(found, worst)) seen.delete(nameOf(each));
    }
  }
  return pager.page();
}
