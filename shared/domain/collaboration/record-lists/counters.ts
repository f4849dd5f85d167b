import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { type Item, update, type Write } from '#shared/table/table.ts';
import type { ListEntry, Listed } from './entry.ts';

/** How many records counted lists have: an item for each list of an owner, changed in the transaction of its entry. */

type ListCount = Item & { record_count: number };

function countUpdate({ owner, record_type }: ListEntry, list: string, by: 1 | -1): Write {
  return update<ListCount>(keys.listCount(owner, record_type, list), { add: { record_count: by } });
}

/** The writes when an entry's lists change; they belong in the transaction that writes the entry. */
export function counterWrites(
  entry: ListEntry,
  { counted: before = [] }: Partial<Listed>,
  { counted: after = [] }: Partial<Listed>,
): Write[] {
  return [
    ...after.filter((list) => !before.includes(list)).map((list) => countUpdate(entry, list, 1)),
    ...before.filter((list) => !after.includes(list)).map((list) => countUpdate(entry, list, -1)),
  ];
}

/** The number of records in a counted list of the caller: what everybody sees, and what not everybody does. */
export async function readCount(
  { table, caller: { account, user } }: CallerContext,
  type: RecordType,
  list: string,
): Promise<number> {
  const counts = await table.getMany<ListCount>(
    [account.id, user.id].map((owner) => keys.listCount(owner, type, list)),
  );
  return counts.reduce((sum, { record_count }) => sum + record_count, 0);
}
