import { type Dependent, inTransactions } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { keyOf, keys, nameOfKey } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { entryWrites, nowhere, readEntries } from './change.ts';
import { endedListed } from './ended.ts';
import { type ListEntry, type Listed, postingsOf } from './entry.ts';
import { unpacking } from './packed.ts';
import { forgetting } from './searched.ts';

/** Leaves all lists, for the one of ended records; for readers who did not see it, for none. */
function* leaving(entry: ListEntry, ended: Listed | undefined): Generator<Write[]> {
  const postings = [...postingsOf(entry, entry.listed), ...postingsOf(entry, entry.next)];
  const distinct = new Map(postings.map((posting) => [nameOfKey(posting), keyOf(posting)]));
  yield* inTransactions([
    ...[...distinct.values()].map((key): Write => ({ delete: key })),
    ...unpacking(entry),
  ]);
  const { next: _, ...rest } = entry;
  const after: ListEntry = { ...rest, listed: ended ?? nowhere, revision: entry.revision + 1 };
  yield [
    ...entryWrites({ before: entry, after, ends: !ended }),
    ...postingsOf(after, ended).map((posting): Write => ({ put: posting })),
  ];
}

type Work = Parameters<Dependent['removing']>[0];

async function* ending({ table, clock }: Work, { type, id }: RecordRef): AsyncGenerator<Write[]> {
  type Owned = RecordItem & { account_id: string };
  const [item, entries] = await Promise.all([
    table.get<Owned>(keys.record(type, id)),
    readEntries(table, { type, id }),
  ]);
  const place = { id, account_id: item?.account_id, moment: clock().getTime() };
  const wanted = endedListed(entries, place);
  for (const entry of entries) {
    const ended = wanted.get(entry.owner);
    if (ended !== entry.listed || entry.next) yield* leaving(entry, ended);
  }
  yield* forgetting({ table }, { type, id });
}

/** The places in lists of a record that is merged or deleted. */
export const placesOfRecords: Dependent = {
  moving: (work, from) => ending(work, from),
  removing: ending,
};
