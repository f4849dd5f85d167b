import type { Table } from '#shared/table/table.ts';
import { measureTable } from './meter.ts';

/** The commands that `work` sends to the table, and the sequential round trips among them. */
export async function countRoundTrips(table: Table, work: () => Promise<unknown>) {
  const { calls, depth } = await measureTable(table, work);
  return { calls: calls.map(({ command }) => command), depth };
}
