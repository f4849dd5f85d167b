import type { Key } from '#shared/table/keys.ts';
import type { Item, QueryPage, Table } from '#shared/table/table.ts';

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
  const items: T[] = [];
  let last: QueryPage<T>['last'];
  // A query stops at 1 MB.
  do {
    const wanted = limit + 1 - items.length;
    const page = await table.query<T>({ partition, sort, newest_first: true, limit: wanted, after: last });
    items.push(...page.items);
    last = page.last;
  } while (last && items.length <= limit);
  const rows = items.slice(0, limit);
  return { rows, next: items.length > limit ? (rows.at(-1)?.id ?? null) : null };
}
