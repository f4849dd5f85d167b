import type { TellsActivity } from '#shared/domain/collaboration/activity/happened.ts';
import type { ValuesOf } from '#shared/domain/collaboration/history/entry.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { Prefixes } from '#shared/domain/platform/postings/prefixes.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { Summed } from './sums.ts';

/**
 * Lists of records are posting lists (docs/decisions/0035). A record is in lists of its account when all users see it,
 * else in those of each user who does, and of each mailbox whose readers do; so a list contains what its readers may see,
 * and nothing else. An entry under the record says in which lists of an owner it is.
 */

/** What a family says about its lists. */
export interface RecordIndex<R extends GuardedItem = GuardedItem> {
  type: RecordType;
  /** The orders by name: the rank of a record's value; null without one, undefined when the order has no such record. */
  orders: Record<string, (record: R) => string | null | undefined>;
  /** The orders in which some records have no value. */
  sparse?: readonly string[];
  /** The orders that have only the list of everything. */
  narrow?: readonly string[];
  /** The order in which records are found by words. */
  words_by: string;
  words(record: R): string[];
  /** Postings of words say where the record is in its other orders: pages by number of few in these read no other record. */
  ranked_words?: true;
  /** How the search over all records finds it (docs/decisions/0081), for types that it does not read whole. */
  found?(record: R): FoundBy | undefined;
  /** The order of `found`, where that has all of `words`: queries in this order read its lists. */
  found_by?: string;
  /** The JSON text of its custom fields, for types of which accounts define some (collaboration/custom-fields). */
  custom_fields?(record: R): string;
  /** The values that its history compares, for types whose changes are kept (collaboration/history). */
  history?: ValuesOf<R>;
  /** What timelines tell of its changes (collaboration/activity). */
  activity?: TellsActivity<R>;
  /** The lists that have the record, besides the one of everything. */
  lists(record: R): string[];
  /** Records that are found only when they are asked for: in lists of their own, so that they do not make others slow. */
  aside?(record: R): boolean;
  /** Whether the records of a list are counted as they come and go; a few of a record's lists, so that it fits with them. */
  counted?(list: string): boolean;
  /** The day by which one of its lists counts it (day-counters.ts). */
  dated?(record: R): Dated | undefined;
  /** Orders by moments or days that every record with a value is counted in by its day (day-counters.ts). */
  counted_orders?: Readonly<Record<string, RankedDay>>;
  /** Its lists of words and tags are packed as well, so that any of them are counted at a low price (packed.ts). */
  packed?: true;
  /** The sum that it is part of (sums.ts). */
  summed?(record: R): Summed;
  /** Values by which records are counted (tally.ts), by the name of the tally; null for one that does not count. */
  tallies?: Record<string, (record: R) => string | null>;
  /** Lists that have the record for one user only. */
  personal(record: R, user_id: string): string[];
  /** What the record's postings in some of its lists say, so that readers need not read the record, and filters compare it there. */
  noted?(record: R): Noted[];
  /** The moments that the postings in the list of everything say (moments-note.ts). */
  noted_moments?: readonly NotedMoment[];
  /** Those of them by whose periods records are listed in the order of words (periods.ts). */
  periods?: readonly NotedMoment[];
  /** The order of words does not go with these moments: records of all periods are in every part of it. */
  spread?: true;
  /** The users for whom `personal` returns a list. */
  users(record: R): Iterable<string>;
  /** What of a record decides who sees it, and with it what is linked to it, besides what does so of all types. */
  opening?: readonly (keyof R)[];
  /** Whose lists have a record because of what it is linked to; for types with links (records/links.ts). */
  audience?(table: Table, record: R): Promise<string[]>;
  /**
   * Stored records with what they take from others of the type, to which they are linked; without those that ended with
   * another one. Records that take nothing are as stored.
   */
  whole?(table: Table, records: R[]): Promise<R[]>;
}

/** Words by which the search over all records finds a record, newest first. */
export interface FoundBy {
  /** An order by a moment. */
  order: string;
  /** That moment in milliseconds, for records that are in the index of several words (searched.ts). */
  moment?: number;
  /** The title is a name. */
  named?: true;
  /** Words of its name; without them they are `words`, in their order. */
  title?: string[];
  /** Words of what else is known of it, without those of the name. */
  text: string[];
  /** Words of its id in another system, which queries of its lists do not find. Entries from before have them in `text`. */
  ids?: string[];
}

/** What the ranks of an order are made of. */
export type RankedDay = 'moment' | 'day';

/** A day of a record in a list. */
export interface Dated {
  list: string;
  day: string;
}

export type NotedMoment = 'created' | 'written';

/** A note on the postings of a list. */
export interface Noted {
  list: string;
  note: Record<string, unknown>;
}

/**
 * Where a record is in the lists of one owner: a posting for each list in each order, one for each word, and one for each
 * tally.
 */
export interface Listed {
  /** By the name of the order. */
  ranks: Record<string, string>;
  /** The same of orders that have only the list of everything. */
  narrow?: Record<string, string>;
  lists: string[];
  words: string[];
  words_by: string;
  /** What the postings of words say: its ranks in other orders, without its id. */
  word_ranks?: Record<string, string>;
  found?: FoundBy;
  /** The words are in lists of their own, as `lists` are. */
  aside?: true;
  /** Those of `lists` that count their records. */
  counted?: string[];
  /** That of `lists` that counts it by a day. */
  dated?: Dated;
  /** The days by which it is counted, by the name of the order. */
  days?: Record<string, string>;
  /** Its words, and those of `lists` that are of tags, are packed. */
  packed?: true;
  summed?: Summed;
  /** The ranks by the name of the tally. */
  tallies?: Record<string, string>;
  /** Lists that only the order of words has, each with its note. */
  periods?: Noted[];
  /** One alone in entries from before there could be several. */
  noted?: Noted[] | Noted;
}

/** The lists of an owner, a user or an account, that have the record. Every change increments `revision`. */
export type ListEntry = Item & {
  record_type: RecordType;
  record_id: string;
  owner: string;
  revision: number;
  listed: Listed;
  /** Being written: some of these postings exist already, and some of `listed` no longer. */
  next?: Listed;
};

/** The list of everything. */
export const ALL = 'all';

export const listName = (type: RecordType, order: string, list: string) => `${type}:${order}:${list}`;

/** The list of those set aside that would be in this list. */
export const asideOf = (list: string) => `aside:${list}`;

export const wordList = (prefix: string) => `word:${prefix}`;

/** Words of names, of other texts, and of ids in other systems, in the order of the search over all records. */
export const titleList = (prefix: string) => `title:${prefix}`;

export const textList = (prefix: string) => `text:${prefix}`;

export const idList = (prefix: string) => `id:${prefix}`;

export const tallyList = (type: RecordType, name: string) => listName(type, 'tally', name);

/** The beginning of words that are found as a whole. It is in no word of a text, so queries do not match them. */
export const WHOLE = '=';

/** One character, so that every term has a list; five, which few records of an account share. */
export const prefixes = new Prefixes([1, 3, 5], { whole: new RegExp(`^${WHOLE}`) });

/** The lists of the search over all records. */
function foundPostings({ record_type, owner }: ListEntry, { ranks, found }: Listed): Posting[] {
  const rank = found && ranks[found.order];
  if (!found || rank === undefined) return [];
  const { order, title = [], text, ids = [] } = found;
  const at = { owner, rank };
  const postings = (words: string[], list: (prefix: string) => string) =>
    prefixes.postings(words, at, (prefix) => listName(record_type, order, list(prefix)));
  return [...postings(title, titleList), ...postings(text, textList), ...postings(ids, idList)];
}

export function postingsOf(entry: ListEntry, listed: Listed | undefined): Posting[] {
  if (!listed) return [];
  const { record_type, owner } = entry;
  const { ranks, narrow = {}, lists, words, words_by, aside, tallies = {}, periods = [], noted } = listed;
  const said = listed.word_ranks ? { ranks: listed.word_ranks } : {};
  const notes = new Map([noted ?? []].flat().map(({ list, note }) => [list, note]));
  const inLists = Object.entries(ranks).flatMap(([order, rank]) =>
    lists.map((list) => ({
      ...keys.posting(owner, listName(record_type, order, list), rank),
      ...notes.get(list),
    })),
  );
  const inAll = Object.entries(lists.includes(ALL) ? narrow : {}).map(([order, rank]) =>
    keys.posting(owner, listName(record_type, order, ALL), rank),
  );
  const inPeriods = periods.map(({ list, note }) => ({
    ...keys.posting(owner, listName(record_type, words_by, list), ranks[words_by] as string),
    ...note,
  }));
  const inTallies = Object.entries(tallies).map(([name, rank]) =>
    keys.posting(owner, tallyList(record_type, name), rank),
  );
  const at = { owner, rank: ranks[words_by] as string };
  const listOf = (prefix: string) =>
    listName(record_type, words_by, aside ? asideOf(wordList(prefix)) : wordList(prefix));
  const ofWords = prefixes.postings(words, at, listOf).map((posting) => ({ ...posting, ...said }));
  return [...[...inLists, ...inAll, ...inPeriods, ...inTallies, ...ofWords], ...foundPostings(entry, listed)];
}
