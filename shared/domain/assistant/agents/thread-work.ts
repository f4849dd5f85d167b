import type { Context } from '#shared/context.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, type Table, update, type Write } from '#shared/table/table.ts';
import type { AgentSlug } from './agent.ts';
import type { Configuration } from './configuration.ts';
import { listConfigurations } from './store.ts';

/** Work of automatic agents on threads with new mail. */

/** The agents that work on threads. */
const threadAgents = ['auto_summarize', 'auto_tag', 'auto_task', 'auto_deal'] as const satisfies AgentSlug[];

export type ThreadAgent = (typeof threadAgents)[number];

type ThreadConfiguration = Configuration & { agent_slug: ThreadAgent };

/** The threads of one chunk of mail, and how many of them are done. */
export type ThreadWork = Job & {
  account_id: string;
  thread_ids: string[];
  done: number;
  /** Runs that began since the last thread was done. */
  tries?: number;
};

/** The agents that are turned on. */
export async function activeThreadAgents(table: Table, account_id: string): Promise<ThreadConfiguration[]> {
  const all = await listConfigurations(table, account_id);
  return all.filter(
    (each): each is ThreadConfiguration =>
      each.enabled && threadAgents.some((slug) => slug === each.agent_slug),
  );
}

/** The job for threads with new mail; none when no agent is turned on, or there is no assistant. */
export async function threadWork(
  { table, config, clock }: Context,
  account_id: string,
  thread_ids: string[],
): Promise<ThreadWork[]> {
  if (thread_ids.length === 0 || config.assistant.provider === 'none') return [];
  if ((await activeThreadAgents(table, account_id)).length === 0) return [];
  return [{ ...newJob('run-thread-agents', {}, clock()), account_id, thread_ids, done: 0 }];
}

/** Enqueues and sends that job. */
export async function workOnThreads(ctx: Context, account_id: string, thread_ids: string[]): Promise<void> {
  await commit(ctx, { writes: [], jobs: await threadWork(ctx, account_id, thread_ids) });
}

/** Moves to the next thread, or completes the job. Two workers may safely process the same thread. */
export function moveOn(job: ThreadWork, done: number): Write {
  if (done >= job.thread_ids.length) return complete(job.id);
  return update<ThreadWork>(keys.job(job.id), { set: { done, tries: 0 }, when: mustExist });
}
