import type { Extent } from './numbers.ts';

/** `npm run bench views`: the cost of search, timelines and the dashboard by the number of records. */
export async function run(extent: Extent): Promise<void> {
  const rows = extent.rows ?? (extent.small ? [60] : [1_000, 100_000]);
  // Set before anything reads it: logs would be in the printed table.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const { measureViews } = await import('./views/suite.ts');
  await measureViews(rows, extent);
}
