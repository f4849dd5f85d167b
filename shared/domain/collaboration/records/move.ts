import { keyOf, keys } from '#shared/table/keys.ts';
import { type Item, mustExist, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import { joined, type Passing, parted, withoutWays } from './came-by.ts';
import type { RecordRef } from './kind.ts';

/** Moves the items under one record to another one. */

/** Writes that belong in one transaction. */
export interface Move {
  writes: Write[];
  bytes: number;
}

/** Bytes of one transaction; DynamoDB allows 4 MB. */
const BYTES_AT_ONCE = 3_000_000;

/** The fields in which items name their record, or sort by it. What somebody wrote may be an id too, and stays. */
const referring: ReadonlySet<string> = new Set(['record_id', 'thread_id', 'rank']);

/** The item under the new record, which it names in place of the old one. */
export function moved(item: Item, from: Passing, into: RecordRef): Item {
  const { by } = from;
  const came = by ? { ...withoutWays(item), ...joined(undefined, item, by) } : item;
  const renamed = Object.entries<unknown>(came).map(([name, value]) => [
    name,
    referring.has(name) && value === from.id ? into.id : value,
  ]);
  return { ...(Object.fromEntries(renamed) as Item), PK: keys.record(into.type, into.id).PK };
}

/** The item under the record from which it came by a merge. */
export function returned(item: Item, { type, id }: RecordRef, into: RecordRef): Item {
  const own = { ...withoutWays(item), ...parted(item, into.id).back };
  return moved(own, { type, id }, into);
}

/** Where an item goes. */
export type Place = typeof moved;

export function bytesOf(item: Item): number {
  const binary = Object.values<unknown>(item).filter((value) => value instanceof Uint8Array);
  const rest = Object.entries<unknown>(item).filter(([, value]) => !(value instanceof Uint8Array));
  const binaryBytes = binary.reduce((sum, value) => sum + value.length, 0);
  return binaryBytes + Buffer.byteLength(JSON.stringify(Object.fromEntries(rest)));
}

/** Fails when another worker moved it first. */
export function moveOf(item: Item, from: Passing, into: RecordRef, place: Place = moved): Move {
  const writes: Write[] = [{ put: place(item, from, into) }, { delete: keyOf(item), when: mustExist }];
  return { writes, bytes: bytesOf(item) };
}

/** Moves in groups that fit one transaction, which has room for `more` writes. */
export function* transactionsOf(moves: Move[], more = 0): Generator<Write[]> {
  let group: Write[] = [];
  let bytes = 0;
  for (const move of moves) {
    const full =
      group.length + move.writes.length + more > TRANSACTION_LIMIT || bytes + move.bytes > BYTES_AT_ONCE;
    if (group.length > 0 && full) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(...move.writes);
    bytes += move.bytes;
  }
  if (group.length > 0) yield group;
}
