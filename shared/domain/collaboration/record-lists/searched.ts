import { isDeepStrictEqual } from 'node:util';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { removeDoc, stateDoc } from '#shared/domain/platform/text-index/docs.ts';
import { isDrawn, sortSoon } from '#shared/domain/platform/text-index/sorting.ts';
import type { StoredDoc } from '#shared/domain/platform/text-index/store.ts';
import { keyOf, keys, type RecordType } from '#shared/table/keys.ts';
import type { Item, Table, Write } from '#shared/table/table.ts';
import { type ListEntry, type Listed, WHOLE } from './entry.ts';

/**
 * The index of an owner's records of all types, in which the search over all records finds those with several words
 * (docs/decisions/0081). A record comes to it, changes in it and leaves it with its entry.
 */

export const searchIndexOf = (owner: string) => `${owner}#records`;

/** What ends the words of names, and those of other titles. */
export const MARKS = { name: ';', title: ':' } as const;

/** The word of all records of a type. No word of a text has this character. */
export const typeWord = (type: RecordType) => `${WHOLE}${type}`;

/** Characters of a word that are kept, as in lists of words. */
const KEPT = 64;

export const keptOf = (word: string) => (word.length <= KEPT ? word : [...word].slice(0, KEPT).join(''));

/** A record in the index. */
interface Searched {
  doc: StoredDoc;
  words: string[];
}

export function searchedAs(
  { record_id, record_type }: ListEntry,
  { words, found }: Listed,
): Searched | undefined {
  if (found?.moment === undefined) return undefined;
  const { moment, named, text, ids = [] } = found;
  const title = found.title ?? words.filter((word) => !word.startsWith(WHOLE));
  const mark = named ? MARKS.name : MARKS.title;
  return {
    doc: { id: record_id, moment, ref: record_type },
    words: [
      typeWord(record_type),
      ...title.map((word) => `${keptOf(word)}${mark}`),
      ...[...text, ...ids].map(keptOf),
    ],
  };
}

/** An owner whose index the record left. The words are in segments of it until it is sorted, which the next change may request. */
export type LeftIndex = Item & { owner: string };

/** The transactions by which no index has words of the record within a minute. */
export async function* forgetting(
  { table }: { table: Table },
  { type, id }: RecordRef,
): AsyncGenerator<Write[]> {
  const { PK, SK } = keys.leftIndex(type, id);
  for await (const page of table.pages<LeftIndex>(PK, SK))
    for (const left of page) yield [{ delete: keyOf(left) }, sortSoon(searchIndexOf(left.owner))];
}

/** Between two states of one entry. */
export function searchWrites(entry: ListEntry, before: Listed | undefined, after: Listed): Write[] {
  const [old, next] = [before && searchedAs(entry, before), searchedAs(entry, after)];
  if (isDeepStrictEqual(old, next)) return [];
  const { owner, record_type, record_id, revision } = entry;
  const index = searchIndexOf(owner);
  const left: LeftIndex = { ...keys.leftIndex(record_type, record_id, owner), owner };
  return [
    ...(next
      ? [stateDoc(index, next.doc, next.words, { replaces: old !== undefined })]
      : [...removeDoc(index, record_id), { put: left }]),
    ...(isDrawn(index, [record_id, String(revision)]) ? [sortSoon(index)] : []),
  ];
}
