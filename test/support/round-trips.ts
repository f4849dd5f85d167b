import type { Table } from '#shared/table/table.ts';
import { measureTable } from './meter.ts';

/** The commands sent to the table while `work` runs, and how many of them waited for each other. */
export async function countRoundTrips(table: Table, work: () => Promise<unknown>) {
  const { calls, depth } = await measureTable(table, work);
  return { calls: calls.map(({ command }) => command), depth };
}
