import type { Extent } from './numbers.ts';

/** `npm run bench threads`: the cost of lists of threads by the number of threads. */
export async function run(extent: Extent): Promise<void> {
  const rows = extent.rows ?? (extent.small ? [60] : [1_000, 10_000, 100_000]);
  // Set before anything reads it: logs would be in the printed table.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const { measureThreads } = await import('./threads/suite.ts');
  await measureThreads(rows, extent);
}
