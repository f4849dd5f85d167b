import type { Extent } from './numbers.ts';

/** `npm run bench records`: the cost of lists of contacts by the number of contacts. */
export async function run(extent: Extent): Promise<void> {
  const rows = extent.rows ?? (extent.small ? [60] : [1_000, 10_000, 100_000]);
  // Set before anything reads it: logs would be in the printed table.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const { measureRecords } = await import('./records/suite.ts');
  await measureRecords(rows, extent);
}
