import { expect } from 'vitest';
import { isEndedListed } from '#shared/domain/collaboration/record-lists/ended.ts';
import {
  type ListEntry,
  postingsOf,
  type RecordIndex,
} from '#shared/domain/collaboration/record-lists/entry.ts';
import { listedOf } from '#shared/domain/collaboration/record-lists/listed.ts';
import { searchedAs, searchIndexOf } from '#shared/domain/collaboration/record-lists/searched.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { LogItem } from '#shared/domain/platform/text-index/store.ts';
import { keys, nameOfKey } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { countersOf } from './listed.ts';
import { scan } from './scan.ts';

/** The postings and entries of a record, of a table of the test's own, are those that follow from the record. */
export async function expectListed<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  id: string,
): Promise<void> {
  const listed = await listedOf(table, index, await table.get<R>(keys.record(index.type, id)));
  const items = await scan(table);
  const entries = items.filter(
    ({ PK, SK }) => PK === keys.record(index.type, id).PK && SK.startsWith('LISTS#'),
  ) as ListEntry[];
  if (!listed) for (const entry of entries) expect(isEndedListed(entry.listed)).toBe(true);
  const wanted = listed ?? new Map(entries.map((entry) => [entry.owner, entry.listed]));
  expect(Object.fromEntries(entries.map(({ owner, listed, next }) => [owner, { listed, next }]))).toEqual(
    Object.fromEntries([...wanted].map(([owner, listed]) => [owner, { listed, next: undefined }])),
  );
  const postings = items.filter(({ PK, SK }) => PK.startsWith('LIST#') && SK.endsWith(id));
  const names = (some: Item[]) => some.map(({ PK, SK }) => `${PK} ${SK}`).sort();
  expect(names(postings)).toEqual(names(entries.flatMap((entry) => postingsOf(entry, entry.listed))));
  expectSearched(items, entries, id);
}

/** Of indexes that no worker sorted. */
function expectSearched(items: Item[], entries: ListEntry[], id: string): void {
  const indexOf = ({ owner }: ListEntry) => keys.textIndex(searchIndexOf(owner));
  const sorted = new Set(items.filter(({ SK }) => SK === keys.textIndex('').SK).map(({ PK }) => PK));
  const wanted = entries.flatMap((entry) => {
    const { PK } = indexOf(entry);
    const searched = searchedAs(entry, entry.listed);
    return searched && !sorted.has(PK) ? [{ PK, ...searched.doc, words: searched.words.join(' ') }] : [];
  });
  const isRecord = ({ PK, SK }: Item) => PK.endsWith('#records') && SK === keys.textLog('', id).SK;
  const found = (items as LogItem[]).filter((item) => isRecord(item) && !sorted.has(item.PK));
  const byIndex = (a: { PK: string }, b: { PK: string }) => (a.PK < b.PK ? -1 : 1);
  expect(found.map(({ SK: _, version: __, replaces: ___, ...doc }) => doc).sort(byIndex)).toEqual(
    wanted.sort(byIndex),
  );
}

/** What a list counts, without what counts nothing: a counter is left when its records are gone. */
function countsIn({ PK: _, SK: __, ...counts }: Item): object | undefined {
  const some = Object.entries(counts as Record<string, unknown>)
    .map(([name, count]) => [name, count instanceof Set ? [...count].sort() : Number(count)])
    .filter(([, count]) => count !== 0);
  return some.length > 0 ? Object.fromEntries(some) : undefined;
}

const byKey = (items: Item[]) =>
  Object.fromEntries(
    items.flatMap((item) => [[nameOfKey(item), countsIn(item)]].filter(([, counts]) => counts)),
  );

/** Counters, sums and packed lists of a table of the test's own are those of the entries, each of which is of a record. */
export async function expectCounted(table: Table): Promise<void> {
  const items = await scan(table);
  const isCount = ({ PK, SK }: Item) =>
    PK.startsWith('LIST#') && (PK.endsWith(':packed') || /^(?:COUNT#|YEAR#|MONTH#|SUM#)/.test(SK));
  expect(byKey(items.filter(isCount))).toEqual(byKey(countersOf(items)));
}
