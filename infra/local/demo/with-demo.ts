import { existsSync } from 'node:fs';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
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

export interface StartedDemo extends RunningDemo {
  stop(): Promise<void>;
}

interface Place {
  folder: string;
  in_memory: boolean;
  /** There is no demo yet. */
  fresh: boolean;
}

async function startIn({ folder, in_memory, fresh }: Place): Promise<StartedDemo> {
  const [{ startStack }, { operations }, { fillDemo }] = await Promise.all([
    import('../stack.ts'),
    import('../../../functions/catalogue.ts'),
    import('./fill.ts'),
  ]);
  const stack = await startStack({ folder, in_memory, port: 0, operations });
  const stop = () => stack.stop();
  try {
    return { stack, demo: await fillDemo(stack, folder, fresh), operations, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Another process may fill it meanwhile: what is there first stays. */
async function fillKept(kept: string): Promise<void> {
  const folder = await mkdtemp(`${kept}-`);
  const { stop } = await startIn({ folder, in_memory: false, fresh: true });
  await stop();
  await rename(folder, kept).catch(() => rm(folder, { recursive: true, force: true }));
}

/** The demo that `KEPT_DEMO` names, filled by the first who asks for it; nothing without it. */
export async function copyKeptDemo(folder: string): Promise<void> {
  const kept = process.env.KEPT_DEMO;
  if (!kept) return;
  if (!existsSync(kept)) await fillKept(kept);
  await cp(kept, folder, { recursive: true });
}

interface Options {
  /** Filled anew, whatever is kept. */
  fresh?: boolean;
}

/**
 * A demo workspace of its own, which is gone when it stops. `KEPT_DEMO` names a folder for runs that need many: the first
 * one fills it, and each takes a copy, in which mail and meetings are as old as the folder.
 */
export async function startDemo({ fresh = false }: Options = {}): Promise<StartedDemo> {
  const kept = fresh ? undefined : process.env.KEPT_DEMO;
  const folder = await mkdtemp(join(tmpdir(), 'demo-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    if (kept) await copyKeptDemo(folder);
    const started = await startIn({ folder, in_memory: !kept, fresh: !kept });
    return { ...started, stop: () => started.stop().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Stops the demo when the work is done. For scripts that print results. */
export async function withDemo<T>(
  work: (running: RunningDemo) => Promise<T>,
  options: Options = {},
): Promise<T> {
  // Set before anything reads it: logs would mix with the output.
  process.env.POWERTOOLS_LOG_LEVEL ??= 'ERROR';
  process.env.POWERTOOLS_METRICS_DISABLED ??= 'true';
  const { stop, ...running } = await startDemo(options);
  try {
    return await work(running);
  } finally {
    await stop();
  }
}
