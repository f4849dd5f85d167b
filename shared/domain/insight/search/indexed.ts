import { begun } from '#shared/begun.ts';
import {
  keptOf,
  MARKS,
  searchIndexOf,
  typeWord,
} from '#shared/domain/collaboration/record-lists/searched.ts';
import { pluralOf, singular } from '#shared/domain/collaboration/records/types.ts';
import {
  type FoundDocs,
  openIndex,
  type ReadTerms,
  readTerms,
} from '#shared/domain/platform/text-index/find.ts';
import { newestFirst } from '#shared/domain/platform/text-index/newest-first.ts';
import type { StoredDoc } from '#shared/domain/platform/text-index/store.ts';
import type { RecordType } from '#shared/table/keys.ts';
import type { Hits } from './hits.ts';
import {
  type Candidate,
  type Known,
  READ_BEFORE,
  type SearchContext,
  type SearchesRecords,
  type SearchType,
  type Source,
} from './kind.ts';
import { lookedUp, type SearchQuery } from './query.ts';
import { tierOf } from './texts.ts';
import { TIER, type Tier } from './tiers.ts';

/**
 * Records of all types with several words, from the indexes of those whose records the caller sees: the newest first. Lists of each
 * word name far more records than have all (docs/decisions/0081).
 */

/** Records that are read beside what is wanted: some may be hidden, or have changed since. */
const SPARE = 4;

/** Records that are read together where more are wanted than at first; each time twice as many, where few are what they were. */
const SOME = { first: 25, most: 400 };

const indexedTypes: readonly SearchType[] = [
  'contact',
  'organization',
  'deal',
  'task',
  'file',
  'calendar_event',
];

/** Whether records are found by the index; further down, where those before the page are not read, lists decide. */
export const isIndexed = ({ terms }: SearchQuery, wanted: number): boolean =>
  terms.length > 1 && wanted <= READ_BEFORE;

type Counts = (mark: string) => boolean;

/** Where all words are, and not in what is better. */
interface Where {
  tier: Tier;
  counts: Counts;
  except: Counts[];
}

const inNames: Counts = (mark) => mark === MARKS.name;
const inTitles: Counts = (mark) => mark === MARKS.title;

const titled: Where[] = [
  { tier: TIER.name, counts: inNames, except: [] },
  { tier: TIER.title, counts: inTitles, except: [] },
];
const mentioning: Where[] = [{ tier: TIER.text, counts: () => true, except: [inNames, inTitles] }];

/** The newest first, each state of a record once, though several indexes may have it. */
async function* statesOf(streams: FoundDocs['docs'][]): AsyncGenerator<StoredDoc> {
  const seen = new Set<string>();
  for await (const doc of newestFirst(streams)) {
    const name = `${doc.id} ${doc.moment}`;
    if (!seen.has(name)) yield doc;
    seen.add(name);
  }
}

interface Asked {
  ctx: SearchContext & { ports: SearchesRecords };
  query: SearchQuery;
  types: readonly SearchType[];
  hits: Hits;
}

/** What the indexes have of the words of one search: read once, for all tiers. */
class ReadIndexes {
  readonly #asked: Asked;
  #read: Promise<ReadTerms[]> | undefined;

  constructor(asked: Asked) {
    this.#asked = asked;
  }

  async find({ counts, except }: Where, at_once: number): Promise<FoundDocs> {
    this.#read ??= begun(this.#readAll());
    const found = (await this.#read).map(({ docs }) => docs({ counts, except, at_once }));
    const count = found.reduce((sum, each) => sum + each.count, 0);
    return { count, docs: statesOf(found.map(({ docs }) => docs)) };
  }

  #readAll(): Promise<ReadTerms[]> {
    const { ctx, query, types } = this.#asked;
    const { account, user } = ctx.caller;
    const some = indexedTypes.filter((type) => types.includes(type));
    const asked = {
      terms: lookedUp(query).map((spellings) => spellings.map(keptOf)),
      among:
        some.length < indexedTypes.length
          ? some.flatMap((type) => pluralOf(type) ?? []).map(typeWord)
          : undefined,
      now: ctx.now,
    };
    const owners = [account.id, user.id, ...Object.keys(user.mailboxes)];
    return Promise.all(
      owners.map(async (owner) =>
        readTerms(ctx.table, await openIndex(ctx.table, searchIndexOf(owner)), asked),
      ),
    );
  }
}

class IndexSource implements Source {
  readonly tier: Tier;
  readonly exact = true;
  readonly #asked: Asked;
  readonly #find: (at_once: number) => Promise<FoundDocs>;
  #found: Promise<FoundDocs> | undefined;
  #ahead: Promise<boolean> | undefined;
  readonly #ready: Candidate[] = [];
  #size = SOME.first;

  constructor(asked: Asked, indexes: ReadIndexes, where: Where) {
    this.#asked = asked;
    this.tier = where.tier;
    this.#find = (at_once) => indexes.find(where, at_once);
  }

  #begin(count: number): Promise<FoundDocs> {
    this.#found ??= begun(this.#find(count));
    return this.#found;
  }

  async begin(count: number): Promise<Known> {
    this.#ahead ??= begun(this.#read(count + SPARE));
    const { count: most } = await this.#begin(count + SPARE);
    return { count: most, reads: 2 };
  }

  /** What is in the index is a claim: the record decides, and a state that it had before has another moment or other words. */
  async #read(count: number): Promise<boolean> {
    const { docs } = await this.#begin(count);
    const some: StoredDoc[] = [];
    while (some.length < count) {
      const { done, value } = await docs.next();
      if (done) break;
      some.push(value);
    }
    const { ctx, query, hits } = this.#asked;
    const typeOf = ({ ref }: StoredDoc) => singular(ref as RecordType) as SearchType;
    const read = await Promise.all(
      [...Map.groupBy(some, typeOf)].map(async ([type, of]) => {
        const ids = of.map(({ id }) => id);
        return (await hits.of(type, ids)).map((hit) => [hit.id, hit] as const);
      }),
    );
    const hitById = new Map(read.flat());
    for (const doc of some) {
      const { id, moment } = doc;
      const [hit, type] = [hitById.get(id), typeOf(doc)];
      const tier = hit && tierOf(hit.texts, query, ctx.ports.searchables[type].named);
      if (hit?.moment !== moment || tier === undefined || tier > this.tier) continue;
      this.#ready.push({ type, id, moment, hit, tier: this.tier });
    }
    return some.length === count;
  }

  #readOn(): Promise<boolean> {
    const count = this.#size;
    this.#size = Math.min(2 * count, SOME.most);
    return begun(this.#read(count));
  }

  async next(): Promise<Candidate | undefined> {
    this.#ahead ??= this.#readOn();
    while ((await this.#ahead) && this.#ready.length === 0) this.#ahead = this.#readOn();
    return this.#ready.shift();
  }
}

/** Of the titles, and of all texts. */
export function indexSources(asked: Asked, wanted: number): { titled: Source[]; mentioning: Source[] } {
  if (!isIndexed(asked.query, wanted) || !indexedTypes.some((type) => asked.types.includes(type)))
    return { titled: [], mentioning: [] };
  const indexes = new ReadIndexes(asked);
  const sources = (all: Where[]) => all.map((where) => new IndexSource(asked, indexes, where));
  return { titled: sources(titled), mentioning: sources(mentioning) };
}
