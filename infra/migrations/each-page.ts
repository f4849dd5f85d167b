import type { Item, Table } from '#shared/table/table.ts';
import { scanPage } from '../scripts/all-accounts.ts';
import type { Migration } from './migrate.ts';

/** Steps over all items of the table, a page each. */
export const eachPage =
  <I extends Item = Item>(change: (table: Table, items: I[]) => Promise<void>): Migration['step'] =>
  async (table, cursor) => {
    const { items, next } = await scanPage(table, cursor as Record<string, unknown> | undefined);
    await change(table, items as I[]);
    return next;
  };
