import { begun } from '#shared/begun.ts';
import type { Candidate, Hit, Searchable, SearchContext, Source } from './kind.ts';
import type { SearchQuery } from './query.ts';
import { tierOf } from './texts.ts';
import { isBefore, TIER, type Tier } from './tiers.ts';

/** Records that are read whole and sorted, because there are few. */

/** The candidates that match no worse than this. */
export function sortedSource(
  read: () => Promise<Hit[]>,
  { query, named, tier }: { query: SearchQuery; named: boolean; tier: Tier },
): Source {
  const find = async () =>
    (await read())
      .filter(({ texts }) => (tierOf(texts, query, named) ?? Number.POSITIVE_INFINITY) <= tier)
      .map((hit): Candidate => ({ hit, id: hit.id, moment: hit.moment, tier }))
      .sort((a, b) => (isBefore(a, b) ? -1 : 1));
  let found: Promise<Candidate[]> | undefined;
  const all = () => {
    found ??= begun(find());
    return found;
  };
  return {
    ...{ tier, exact: true },
    begin: async () => ({ count: (await all()).length, reads: 1 }),
    next: async () => (await all()).shift(),
  };
}

/** Records of which an account has few, and that are called by names. */
export function searchableList<R>(list: (ctx: SearchContext) => Promise<Hit<R>[]>): Searchable<R> {
  return {
    named: true,
    titled: (ctx, query) => {
      if (query.terms.length === 0) return [];
      return [sortedSource(() => list(ctx), { query, named: true, tier: TIER.name })];
    },
    mentioning: () => [],
    async read(ctx, ids) {
      const wanted = new Set(ids);
      return (await list(ctx)).filter(({ id }) => wanted.has(id));
    },
  };
}
