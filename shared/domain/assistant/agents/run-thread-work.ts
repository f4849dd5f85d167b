import type { Context } from '#shared/context.ts';
import type { AsksAssistant } from '#shared/domain/assistant/answering/assistant.ts';
import { isTransient, ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import type { ActionPorts } from '#shared/domain/assistant/proposals/actions/action.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { messagesOf } from '#shared/domain/mail/threads/messages.ts';
import { findThread } from '#shared/domain/mail/threads/policy.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Table } from '#shared/table/table.ts';
import type { AgentRun } from './agent-run.ts';
import { proposeDeals } from './mail/propose-deal.ts';
import { proposeTasks } from './mail/propose-tasks.ts';
import { summarizeThread } from './summarize-thread.ts';
import { beginRun, isPoison, uncount } from './suspect.ts';
import { tagThread } from './tag-thread.ts';
import { activeThreadAgents, moveOn, type ThreadAgent, type ThreadWork } from './thread-work.ts';

export type AgentPorts = ActionPorts & AsksAssistant;

const agents: Record<ThreadAgent, (run: AgentRun) => Promise<void>> = {
  auto_summarize: summarizeThread,
  auto_tag: tagThread,
  auto_task: proposeTasks,
  auto_deal: proposeDeals,
};

/** Milliseconds for one thread. */
const THREAD_TIME = 90_000;

/** A permanent failure of a model for one thread must not stop the others. */
async function tolerate(thread_id: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ModelFailed) || isTransient(error) || error.reason === 'misconfigured')
      throw error;
    getLogger().warn('agent skipped a thread', { thread_id, error: describeError(error) });
  }
}

/** Nobody waits for it in a closed account. */
async function giveUp(table: Table, job_id: string): Promise<'done'> {
  await table.delete(keys.job(job_id));
  return 'done';
}

async function continueFrom(
  job: ThreadWork,
  ctx: Context<AgentPorts>,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const { table, config } = ctx;
  const assistant = ctx.ports.assistantOf(config);
  const [open, configurations, members] = await Promise.all([
    isActive(table, job.account_id),
    activeThreadAgents(table, job.account_id),
    membersOf(table, job.account_id),
  ]);
  if (!open) return giveUp(table, job.id);
  const lookAt = async (thread_id: string) => {
    const thread = await findThread(table, job.account_id, thread_id);
    if (!thread) return;
    const messages = await messagesOf(table, thread.id);
    const deadline = Date.now() + THREAD_TIME;
    for (const configuration of configurations) {
      const run = { ctx, assistant, configuration, thread, messages, members, deadline };
      await tolerate(thread.id, () => agents[configuration.agent_slug](run));
    }
  };
  for (let done = job.done; done < job.thread_ids.length; done++) {
    const thread_id = job.thread_ids[done] as string;
    const isLeftOut = done === job.done && isPoison(job);
    if (isLeftOut) getLogger().error('a thread stopped the agents each time', { thread_id });
    else await lookAt(thread_id);
    try {
      await table.transact([moveOn(job, done + 1)]);
    } catch (error) {
      // Another worker completed it.
      if (error instanceof ConditionFailed) return 'done';
      throw error;
    }
    // Another message also has all of its tries, for the next such thread.
    if (isLeftOut || timeIsUp()) return done + 1 < job.thread_ids.length ? 'more' : 'done';
  }
  return 'done';
}

/** Processes a job thread by thread, until it is complete or the time is up. */
export async function runThreadWork(
  ctx: Context<AgentPorts>,
  job_id: string,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const job = await beginRun(ctx.table, job_id);
  if (!job) return 'done';
  try {
    return await continueFrom(job, ctx, timeIsUp);
  } catch (error) {
    await uncount(ctx.table, job, error);
    throw error;
  }
}
