import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { ReadsLists } from '#shared/domain/platform/postings/cache.ts';
import type { SearchQuery } from './query.ts';
import type { Text } from './texts.ts';
import type { Place, Tier } from './tiers.ts';

/**
 * A type of records in the search over all of them. Another index of it may take its place: a source of candidates, and
 * the texts of what is read.
 */

export type SearchContext = CallerContext<SeesRecords>;

/** A record as the caller sees it. */
export interface Hit<R = unknown> {
  id: string;
  record: R;
  label: string;
  /** Milliseconds. */
  moment: number;
  texts: Text[];
}

/** A record that may match, as lists know it. */
export interface Candidate extends Place {
  /** Of a source of several types. */
  type?: SearchType;
  /** When it is read already. */
  hit?: Hit;
  /** Of this one, other than of its source. */
  exact?: boolean;
  /** Found by some of the words, when the lists of the others were not read as far. */
  guess?: true;
}

/** What a source knows when it has begun. */
export interface Known {
  /** Candidates at least, or likely. */
  count: number;
  /** Sequential reads that it took to know. */
  reads: number;
}

/** Candidates, the best first. */
export interface Source {
  /** Of all of them. */
  tier: Tier;
  /** Whether all of them match and are visible, as far as lists know; else each is read before it counts. */
  exact: boolean;
  /** Reads what so many of the first ones need; without it, when they are asked for. What it knows soon, where it does. */
  begin?(count: number): Promise<Known> | undefined;
  /** Candidates, likely: where that takes one read more than the first page of a list. */
  likely?(): Promise<number>;
  /** Reads where the first ones are, and not yet what they say: what comes before may fill the page. */
  prepare?(): void;
  /** Whether `next` gives one that is known already. */
  isReady?(): boolean;
  /** The first ones that `next` will give: so many, and guesses among them. */
  peek?(count: number): Promise<Candidate[]>;
  next(): Promise<Candidate | undefined>;
}

/** Results before a page that are read like those of the page, so that the pages meet; more are skipped in their lists. */
export const READ_BEFORE = 200;

export interface ListContext extends SearchContext {
  /** Lists of one request, read once. */
  lists: ReadsLists;
}

/** `wanted` of the sources' candidates will be asked for. */
type Sources = (ctx: ListContext, query: SearchQuery, wanted: number) => Source[];

/** The records of a type in one search. */
export interface Records<R = unknown> {
  isGiven(id: string): boolean;
  /** Those that the caller sees; each is read once. */
  read(ids: string[]): Promise<Hit<R>[]>;
}

export interface Searchable<R = unknown> {
  /** Whether its titles are names of people, organizations and the like. */
  named: boolean;
  /** Records whose address, domain or id is the query, whether the caller sees them or not. */
  holders?(ctx: SearchContext, query: SearchQuery): Promise<string[]>;
  /** Records with all words of the query in their titles. */
  titled: Sources;
  /** Records with all words of the query anywhere; perhaps those of the titles again. */
  mentioning: Sources;
  /** Records with all words of the query in texts that no list has, but those given before. Begins to read at once. */
  within?(ctx: SearchContext, query: SearchQuery, records: Records<R>): Source[];
  /** Those that the caller sees. */
  read(ctx: SearchContext, ids: string[]): Promise<Hit<R>[]>;
  /** Begins to read what `sublabels` needs whatever the records are: beside the first of them. */
  around?(ctx: SearchContext): void;
  /** What tells each from others of the same name. */
  sublabels?(ctx: SearchContext, records: R[]): Promise<(string | null)[]>;
}

export const searchTypes = [
  'contact',
  'organization',
  'deal',
  'thread',
  'task',
  'file',
  'calendar_event',
  'space',
  'tag',
] as const;

export type SearchType = (typeof searchTypes)[number];

export interface SearchesRecords {
  searchables: Readonly<Record<SearchType, Searchable>>;
}
