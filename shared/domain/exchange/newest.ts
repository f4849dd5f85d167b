import type { Key } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** A page of what a user has in a partition, newest first. */

export interface Page<T> {
  rows: T[];
  /** Where the next page begins; null on the last one. */
  next: string | null;
}

/** `keyOf` gives the key of an item by its id, which sorts by time. */
export async function newestPage<T extends Item & { id: string }>(
  table: Table,
  keyOf: (id: string) => Key,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<Page<T>> {
  const { PK: partition, SK } = keyOf(after ?? '');
  const sort = after === undefined ? { begins: SK } : { before: SK };
  const { items } = await table.query<T>({ partition, sort, newest_first: true, limit: limit + 1 });
  const rows = items.slice(0, limit);
  return { rows, next: items.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
