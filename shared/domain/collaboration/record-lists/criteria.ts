import { type GuardedItem, waysOfSharing } from '#shared/domain/collaboration/records/policy.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import type { Bounds } from '#shared/domain/platform/postings/reader.ts';
import { matchesTerms } from '#shared/domain/platform/postings/words.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { AllOf } from '#shared/table/table.ts';
import type { Before } from './day-counters.ts';
import type { RecordIndex } from './entry.ts';
import { sharedList, tagList, WAYS } from './listed.ts';
import type { Window } from './periods.ts';
import { termsOf } from './phones.ts';
import { VALUED } from './ranks.ts';

/** Records that match for a reason that the lists do not have, few enough to be read together; hidden ones too. */
export interface Others {
  ids: string[];
  /** By id, where it is known before they are read: a page by name reads only its own. */
  names?: ReadonlyMap<string, string>;
  /** Begins to read what those with these ids show. */
  expect?(ids: string[]): void;
  /** The ids of all, where `ids` is a guess. */
  sure?: Promise<string[]>;
}

/** One filter of a list of records: how its records are found, and whether a record is one of them. */
export interface Criterion<R extends GuardedItem> {
  /** Each matching record is in one of these lists. */
  lists?: string[];
  /** The lists, or the ranks, have other records as well. */
  rough?: true;
  /** They are lists of the caller alone. */
  personal?: true;
  /**
   * Each matching record is in one of these parts of lists; where the order is another one, somewhere in the list, among
   * the postings that the filter leaves.
   */
  parts?: ({ list: string; order: string; filter?: AllOf<Posting> } & Bounds)[];
  /** The list counts by a day how many match, those before this one (day-counters.ts); they are parts of the order by it. */
  dated?: Before & { order: string };
  /** What the postings of the list of everything say of matching records alone: read where no other criterion has lists. */
  noted?: AllOf<Posting>;
  /** The moments of matching records, for types that are listed by periods: instead of `noted` in the order of words. */
  window?: Window;
  /** The ranks of matching records in an order. */
  range?: { order: string } & Bounds;
  /** For each term of a query: any of these begins a word of the record. */
  terms?: string[][];
  /** The only records that can match. */
  ids?: string[];
  /** Also records that are set aside. */
  aside?: true;
  /** Records that match although `keeps` does not say so. Not in pages by number. */
  others?(): Promise<Others>;
  keeps(record: R): boolean;
}

export const inList = <R extends GuardedItem>(list: string, keeps: (record: R) => boolean): Criterion<R> => ({
  lists: [list],
  keeps,
});

export const inPersonalList = <R extends GuardedItem>(
  lists: string[],
  keeps: (record: R) => boolean,
): Criterion<R> => ({ lists, personal: true, keeps });

/** The only records that can match, few enough to be read together. */
export const amongIds = <R extends GuardedItem>(
  ids: string[],
  keeps: (record: R) => boolean,
): Criterion<R> => ({ ids, keeps });

/** Each tag with its aliases (collaboration/tags/store.ts, `tagAliases`). */
export function withTags<R extends GuardedItem>(tags: string[][], operator: 'any' | 'all'): Criterion<R>[] {
  const carries = (ids: string[]) => (record: R) => ids.some((id) => record.tag_ids?.has(id));
  const each = tags.map((ids): Criterion<R> => ({ lists: ids.map(tagList), keeps: carries(ids) }));
  if (operator === 'all') return each;
  const any = tags.flat();
  return [{ lists: any.map(tagList), keeps: carries(any) }];
}

/** A query without words matches nothing. */
export function matching<R extends GuardedItem>(index: RecordIndex<R>, query: string): Criterion<R> {
  const terms = termsOf(query);
  const keeps = (record: R) => {
    const words = index.words(record);
    return terms.every((term) => term.some((each) => matchesTerms([each], words)));
  };
  return terms.length > 0 ? { terms, keeps } : { ids: [], keeps };
}

/** Records whose moment in an order is later than this one, in milliseconds. */
export function later<R extends GuardedItem>(
  order: string,
  moment: number,
  momentOf: (record: R) => string | null,
): Criterion<R> {
  return {
    range: { order, from: `${VALUED}${timeRank(moment + 1)}` },
    keeps: (record) => Date.parse(momentOf(record) ?? '') > moment,
  };
}

/** The same for an earlier moment. */
export function earlier<R extends GuardedItem>(
  order: string,
  moment: number,
  momentOf: (record: R) => string,
): Criterion<R> {
  return {
    range: { order, from: VALUED, before: `${VALUED}${timeRank(moment)}` },
    keeps: (record) => Date.parse(momentOf(record)) < moment,
  };
}

/** Records that are shared with the user, directly or through a group. */
export const sharedWith = <R extends GuardedItem>(user: User): Criterion<R> =>
  inPersonalList(WAYS.map(sharedList), (record) => waysOfSharing(record, user).length > 0);
