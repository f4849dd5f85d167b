import type { Extent } from './numbers.ts';

/** `npm run bench live`: many sockets of one account, while a key writes as much as it may. Ten minutes. */
export async function run(extent: Extent): Promise<void> {
  // Set before anything reads it: logs would be in the printed table.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const { soak } = await import('./live/soak.ts');
  await soak(extent);
}
