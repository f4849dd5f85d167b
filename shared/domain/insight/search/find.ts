import { begun } from '#shared/begun.ts';
import { PostingCache } from '#shared/domain/platform/postings/cache.ts';
import { Behind } from './behind.ts';
import { Hits } from './hits.ts';
import { holdersOf } from './holders.ts';
import { indexSources } from './indexed.ts';
import {
  type Hit,
  READ_BEFORE,
  type SearchContext,
  type SearchesRecords,
  type SearchType,
  type Source,
} from './kind.ts';
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
/** Those that are read together, where more than the page are. */
const AT_ONCE = 100;
/** How many times as many of the next ones are looked at as are needed where as many match as before. */
const SPARE = 2;

/** The records as they are, in the order of the candidates, if they match no worse than this. */
async function readResults(
  { ctx, query }: Search,
  found: Found[],
  { worst, hits }: { worst: Tier; hits: Hits },
): Promise<Result[]> {
  const kinds = ctx.ports.searchables;
  const unread = found.filter(({ hit }) => !hit);
  const read = new Map<string, Hit>();
  await Promise.all(
    [...Map.groupBy(unread, ({ type }) => type)].map(async ([type, some]) => {
      const ids = some.map(({ id }) => id);
      for (const hit of await hits.of(type, ids)) read.set(nameOf({ type, id: hit.id }), hit);
    }),
  );
  return found.flatMap(({ hit: known, exact, guess, ...place }) => {
    const hit = known ?? read.get(nameOf(place));
    const tier = hit && tierOf(hit.texts, query, kinds[place.type].named);
    return hit && tier !== undefined && tier <= worst ? [{ ...hit, ...place }] : [];
  });
}

/** What is read, one after the other. */
function stagesOf(
  { ctx: asked, types, query, page, limit }: Search,
  { seen, hits }: { seen: ReadonlySet<string>; hits: Hits },
): { worst: Tier; sources: TypedSource[] }[] {
  const wanted = Math.min(page * limit + 1, SKIPPED);
  const ctx = { ...asked, lists: new PostingCache(asked.table) };
  const each = types.map((type) => ({ type, kind: ctx.ports.searchables[type] }));
  const indexed = indexSources({ ctx: asked, query, types, hits }, wanted);
  const typed = (sources: Source[]): TypedSource[] => sources.map((source) => ({ source }));
  return [
    {
      worst: TIER.title,
      sources: [
        ...each.flatMap(({ type, kind }) =>
          [holdersOf(ctx, kind, query), ...kind.titled(ctx, query, wanted)].map((source) => ({
            type,
            source,
          })),
        ),
        ...typed(indexed.titled),
      ],
    },
    {
      worst: TIER.text,
      sources: [
        ...each.flatMap(({ type, kind }) =>
          kind.mentioning(ctx, query, wanted).map((source) => ({ type, source })),
        ),
        ...typed(indexed.mentioning),
      ],
    },
    {
      worst: TIER.whole_text,
      sources: each.flatMap(({ type, kind }) => {
        const isGiven = (id: string) => seen.has(nameOf({ type, id }));
        const read = (ids: string[]) => hits.of(type, ids);
        return (kind.within?.(ctx, query, { isGiven, read }) ?? []).map((source) => ({ type, source }));
      }),
    },
  ];
}

/** Collects one page. */
class Pager {
  readonly results: Result[] = [];
  readonly #search: Search;
  readonly #skip: number;
  readonly #hits: Hits;
  #looked_at = 0;
  /** Of those. */
  #matched = 0;
  #passed = 0;
  #unread = false;

  constructor(search: Search, hits: Hits) {
    this.#search = search;
    this.#hits = hits;
    this.#skip = (search.page - 1) * search.limit;
  }

  /** Candidates to look at next; 0 when the page is full, and it is known that there is more. */
  get wanted(): number {
    const { missing } = this;
    if (missing === 0 || this.#passes) return missing;
    // Where few match, the next step looks at more.
    const needed = Math.ceil((SPARE * missing * this.#looked_at) / Math.max(1, this.#matched));
    return Math.max(missing, Math.min(needed, this.#looked_at, AT_ONCE));
  }

  /** Results that are not found yet: before the page, where those are skipped; else with the one that shows that there is more. */
  get missing(): number {
    const before = this.#skip - this.#passed;
    if (this.#passes) return Math.min(before, SKIPPED);
    return Math.max(0, before + this.#search.limit + 1 - this.results.length);
  }

  /** Whether the page is further down, behind records that are not read. */
  get #passes(): boolean {
    return !this.readsAll && this.#passed < this.#skip;
  }

  /** Whether records before the page are read, too. */
  get readsAll(): boolean {
    return this.#skip <= READ_BEFORE;
  }

  /** What few of one stage match says nothing of the next. */
  beginStage(): void {
    this.#looked_at = 0;
    this.#matched = 0;
  }

  /** How many lie before the page, and are not read where their lists decide. */
  #mayPass(found: Found[]): boolean {
    return !this.readsAll && this.#passed + found.length <= this.#skip;
  }

  /** Returns those that do not match as their lists say. */
  async add(found: Found[], worst: Tier): Promise<Found[]> {
    const read = this.#mayPass(found) ? found.filter(({ exact }) => !exact) : found;
    this.#passed += found.length - read.length;
    this.#unread ||= read.length < found.length;
    this.#looked_at += read.length;
    const results = await readResults(this.#search, read, { worst, hits: this.#hits });
    this.#matched += results.length;
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
  const hits = new Hits(asked.ctx);
  const pager = new Pager(asked, hits);
  const seen = new Set<string>();
  const stages = stagesOf(asked, { seen, hits });
  for (const [i, { worst, sources }] of stages.entries()) {
    if (pager.wanted === 0) break;
    const merge = new Merge(sources, seen);
    const behind = new Behind(
      stages.slice(i + 1).map((stage) => stage.sources),
      hits,
    );
    pager.beginStage();
    // Lists know soon how many they have; threads by several words wait for more.
    void begun(merge.begin(pager.missing).then((known) => behind.begin(pager.missing - known)));
    while (pager.wanted > 0) {
      const found = await merge.take(pager.wanted);
      const missing = pager.missing - found.filter(({ guess }) => !guess).length;
      if (!merge.ended) behind.begin(missing);
      else if (pager.readsAll) behind.read(missing);
      if (found.length === 0) break;
      // They may match by other texts.
      for (const each of await pager.add(found, worst)) seen.delete(nameOf(each));
    }
  }
  return pager.page();
}
