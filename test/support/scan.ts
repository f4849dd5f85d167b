import { scanPage } from '#shared/table/scan.ts';
import type { Item, Table } from '#shared/table/table.ts';

/** All items, for tests with a table of their own. */
export async function scan(table: Table): Promise<Item[]> {
  const found: Item[] = [];
  for (let after: Record<string, unknown> | undefined; ; ) {
    const { items, last } = await scanPage(table, { after, limit: 1_000 });
    found.push(...items);
    if (!last) return found;
    after = last;
  }
}
