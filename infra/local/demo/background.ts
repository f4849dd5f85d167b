import { setTimeout as pause } from 'node:timers/promises';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import type { Services } from '#shared/services.ts';
import { JOB_SHARDS, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The work that the demo starts in the background. */

const PAUSE = 200;
/** Milliseconds: a busy machine takes as long as it takes, and what hangs is said. */
const PATIENCE = 300_000;

/** Begins a minute after a definition, when no request writes without it any more; `status` says so until then. */
const followsDefinition = ({ body }: Job) => 'all_of' in body;

/** Begins with the next sweep, within a minute, and changes what a search costs, not what it finds. */
const sortsTexts = ({ queue }: Job) => queue === 'sort-texts';

/** Shard by shard: whoever looks for one open job mostly finds it in the first. */
async function* openJobs(table: Table): AsyncGenerator<string> {
  for (let shard = 0; shard < JOB_SHARDS; shard++) {
    const { PK, SK } = keys.jobShard(shard);
    for (const job of await table.all<Job>(PK, SK))
      if (!followsDefinition(job) && !sortsTexts(job)) yield job.id;
  }
}

/** Returns a function that resolves when all jobs are done, except those that are open now: they are somebody else's. */
export async function newJobs(table: Table): Promise<() => Promise<void>> {
  const others = new Set<string>();
  for await (const id of openJobs(table)) others.add(id);
  const areDone = async () => {
    for await (const id of openJobs(table)) if (!others.has(id)) return false;
    return true;
  };
  return async () => {
    for (const end = Date.now() + PATIENCE; Date.now() < end; await pause(PAUSE)) if (await areDone()) return;
    throw new Error('The background work of the demo is not done after five minutes.');
  };
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
