import { lists } from '#shared/composition/lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { runThreadWork } from '#shared/domain/assistant/agents/run-thread-work.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { consume } from '#shared/queues/consume.ts';
import { postpone } from '#shared/queues/postpone.ts';

/** Milliseconds that one more thread may take. */
const THREAD_TIME = 200_000;

/** Queue `run-thread-agents`: automatic agents look at threads that mail came to; many take several messages. */
export const handler = consume<{ job_id: string }, SeesRecords & KeepsLists>(
  'run-thread-agents',
  async ({ job_id }, services, context) => {
    const timeIsUp = () => context.getRemainingTimeInMillis() < THREAD_TIME;
    if ((await runThreadWork(services, job_id, timeIsUp)) === 'more') await dispatchAgain(services, job_id);
  },
  {
    onFailure: (record, error) => postpone('run-thread-agents', record, error),
    ports: { ...visibility, ...lists },
  },
);
