import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from '#shared/services.ts';
import { JOB_SHARDS, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The work that the demo starts in the background. */

const PAUSE = 100;
/** Milliseconds. Jobs of others may be open for longer. */
const PATIENCE = 20_000;

async function openJobs(table: Table): Promise<number> {
  const shards = Array.from({ length: JOB_SHARDS }, (_, shard) => keys.jobShard(shard));
  const jobs = await Promise.all(shards.map(({ PK, SK }) => table.all(PK, SK)));
  return jobs.flat().length;
}

/** Resolves when no job is open, so that the first look at the demo shows everything. */
export async function untilIdle(table: Table): Promise<void> {
  for (const end = Date.now() + PATIENCE; Date.now() < end && (await openJobs(table)) > 0; )
    await pause(PAUSE);
}

/** A language model would take minutes, cost money and give other answers on each day. */
export async function withBuiltInAssistant(services: Services, work: () => Promise<void>): Promise<void> {
  const { config } = services;
  services.config = { ...config, assistant: { ...config.assistant, provider: 'built-in' } };
  try {
    await work();
  } finally {
    services.config = config;
  }
}
