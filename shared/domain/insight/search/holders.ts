import type { Searchable, SearchContext, Source } from './kind.ts';
import type { SearchQuery } from './query.ts';
import { TIER } from './tiers.ts';
import { sortedSource } from './whole-list.ts';

/** The records whose address, domain or id is the query: few, so they are read at once. */
export function holdersOf(ctx: SearchContext, kind: Searchable, query: SearchQuery): Source {
  const read = async () => {
    const ids = [...new Set((await kind.holders?.(ctx, query)) ?? [])];
    return ids.length > 0 ? kind.read(ctx, ids) : [];
  };
  return sortedSource(read, { query, named: kind.named, tier: TIER.value });
}
