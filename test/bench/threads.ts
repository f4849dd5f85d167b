import type { Extent } from './numbers.ts';

/** `npm run bench threads`: what lists of threads cost by how many threads there are. */
export async function run(extent: Extent): Promise<void> {
  const rows = extent.rows ?? (extent.small ? [60] : [1_000, 10_000, 100_000]);
  // Before anything reads them: logs would be in the table that is printed.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'SILENT';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const { measureThreads } = await import('./threads/suite.ts');
  await measureThreads(rows, extent);
}
