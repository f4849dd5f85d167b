import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { type Item, update, type Write } from '#shared/table/table.ts';
import type { ListEntry, Listed } from './entry.ts';

/**
 * How many records counted lists have: a few items for each list of an owner, one of which changes in the transaction of a
 * record's entry.
 */

type ListCount = Item & { record_count: number };

/** Several items share a number, so that changes of several records rarely meet in one. */
export const shareOf = ({ record_id }: Pick<ListEntry, 'record_id'>) => `#${record_id.at(-1)}`;

export const countKey = (entry: Pick<ListEntry, 'owner' | 'record_type' | 'record_id'>, list: string) =>
  keys.listCount(entry.owner, entry.record_type, list, shareOf(entry));

const countUpdate = (entry: ListEntry, list: string, by: 1 | -1): Write =>
  update<ListCount>(countKey(entry, list), { add: { record_count: by } });

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
  const counts = await Promise.all(
    [account.id, user.id].map((owner) => {
      const { PK, SK } = keys.listCount(owner, type, list);
      return table.all<ListCount>(PK, SK);
    }),
  );
  return counts.flat().reduce((sum, { record_count }) => sum + record_count, 0);
}
