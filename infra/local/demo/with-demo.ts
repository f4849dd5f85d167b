import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from '#shared/api/catalogue.ts';
import type { Stack } from '../stack.ts';
import type { DemoFile } from './fill.ts';

export interface RunningDemo {
  stack: Stack;
  demo: DemoFile;
  operations: Operation[];
}

/** Fills the demo workspace in memory, and stops it when the work is done. For scripts that print results. */
export async function withDemo<T>(work: (running: RunningDemo) => Promise<T>): Promise<T> {
  // Set before anything reads it: logs would mix with the output.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const [{ startStack }, { operations }, { fillDemo }] = await Promise.all([
    import('../stack.ts'),
    import('../../../functions/catalogue.ts'),
    import('./fill.ts'),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  try {
    const stack = await startStack({ folder, in_memory: true, port: 0, operations });
    try {
      return await work({ stack, demo: await fillDemo(stack, folder, true), operations });
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
