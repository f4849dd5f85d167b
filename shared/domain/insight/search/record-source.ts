import { listName, prefixes, type RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { ownersFor } from '#shared/domain/collaboration/record-lists/plan.ts';
import { idOf, momentIn } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { type Clauses, Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { narrowed } from '#shared/domain/platform/postings/plan.ts';
import type { Bounds, OwnedRange } from '#shared/domain/platform/postings/reader.ts';
import type { ListContext, SearchContext, Source } from './kind.ts';
import { listSource, readingOf } from './list-source.ts';
import { lookedUp, looksUpAll, type SearchQuery } from './query.ts';
import type { Tier } from './tiers.ts';

/** Records that the lists of their words name, newest first. */

/** Characters of a word by which lists decide alone: postings have the beginnings of long words. */
const WHOLE = 64;

export interface Lists<R extends GuardedItem> {
  index: RecordIndex<R>;
  /** An order by a moment, and its part. */
  order: string;
  part?: Bounds;
  /** The moment of a rank in milliseconds. */
  momentOf?(rank: string): number;
  /** The lists of a prefix, any of which may have the record. */
  named: ((prefix: string) => string)[];
  tier: Tier;
  /** Lists have records that their readers do not find by words: each is read before it counts. */
  guarded?: true;
}

function clausesOf<R extends GuardedItem>(
  ctx: SearchContext,
  { index, order, part = {}, named }: Lists<R>,
  terms: SearchQuery['terms'],
): Clauses<OwnedRange> {
  const owners = ownersFor(ctx, index);
  const listsOf = (prefix: string) => named.map((list) => listName(index.type, order, list(prefix)));
  const clauses = terms
    .map((term) => term.flatMap((each) => prefixes.ranges(each, listsOf) ?? []))
    .map((ranges) => owners.flatMap((owner) => ranges.map((range) => ({ ...range, owner }))));
  return narrowed(clauses, part) as Clauses<OwnedRange>;
}

export function recordSource<R extends GuardedItem>(
  ctx: ListContext,
  lists: Lists<R>,
  query: SearchQuery,
  wanted: number,
): Source {
  const { tier, momentOf = momentIn, guarded = false } = lists;
  const clauses = clausesOf(ctx, lists, lookedUp(query));
  if (clauses.length === 0) return { tier, exact: true, next: async () => undefined };
  const found = new Conjunction(ctx.lists, clauses, readingOf(clauses, wanted));
  return listSource(found, {
    tier,
    exact: !guarded && looksUpAll(query) && query.terms.flat().every(({ length }) => length <= WHOLE),
    candidateOf: ({ SK }) => ({ id: idOf(SK), moment: momentOf(SK) }),
  });
}
