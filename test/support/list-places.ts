import { expect } from 'vitest';
import { isEndedListed } from '#shared/domain/collaboration/record-lists/ended.ts';
import {
  type ListEntry,
  postingsOf,
  type RecordIndex,
} from '#shared/domain/collaboration/record-lists/entry.ts';
import { listedOf } from '#shared/domain/collaboration/record-lists/listed.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
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
}
