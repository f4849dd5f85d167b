import { actions } from '#shared/composition/actions.ts';
import { assistant } from '#shared/composition/assistant.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import { type AgentPorts, runThreadWork } from '#shared/domain/assistant/agents/run-thread-work.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Milliseconds that one more thread may take. */
const THREAD_TIME = 200_000;

/**
 * Queue `run-thread-agents`: runs the automatic agents on threads with new mail; many threads take several messages.
 */
export const handler = consume<{ job_id: string }, AgentPorts>(
  'run-thread-agents',
  async (ctx, { job_id }, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < THREAD_TIME;
    if ((await runThreadWork(ctx, job_id, timeIsUp)) === 'more') await dispatchAgain(ctx, job_id);
  },
  {
    onFailure: (ctx, record, error) => postpone(ctx, 'run-thread-agents', record, error),
    ports: { ...keeping, ...lists, ...actions, ...assistant },
  },
);
