import type { Item, Table } from '#shared/table/table.ts';
import { scanPage } from '../../infra/scripts/all-accounts.ts';

/** All items, for tests with a table of their own. */
export async function scan(table: Table): Promise<Item[]> {
  const items: Item[] = [];
  let after: Record<string, unknown> | undefined;
  do {
    const page = await scanPage(table, after);
    items.push(...(page.items as Item[]));
    after = page.next;
  } while (after);
  return items;
}
