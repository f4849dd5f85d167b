import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeftMessages, removeMessages } from '#shared/domain/assistant/conversations/delete.ts';
import type { Message } from '#shared/domain/assistant/conversations/message.ts';
import { messageKey } from '#shared/domain/assistant/conversations/store.ts';
import { type Job, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist } from '#shared/table/table.ts';
import { handler } from '../../functions/queues/remove-messages.ts';
import { type LocalQueues, startQueues, startWorker, type Worker } from '../../infra/local/queues.ts';
import { givenConversation, givenMessages, storedMessages } from '../support/conversations.ts';
import { failCall } from '../support/faults.ts';
import { deliverMessages } from '../support/jobs.ts';
import { longIt, STRIDE } from '../support/long.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** A conversation with more messages than fit into one transaction is deleted at once; a job removes its messages. */
describe('queue remove-messages', () => {
  let workspace: Workspace;
  let queues: LocalQueues;
  let worker: Worker;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    queues = await startQueues();
    const { endpoint, urls } = queues;
    Object.assign(workspace.ctx.config, { sqs_endpoint: endpoint, queue_urls: urls });
    worker = startWorker(endpoint, 'remove-messages', urls['remove-messages'], handler);
  });
  afterAll(async () => {
    await worker?.stop(1_000);
    await queues?.stop();
    await workspace?.stop();
  });

  const jobs = async (): Promise<Job[]> => {
    const shards = [0, 1, 2, 3].map((shard) => workspace.table.all<Job>(keys.jobShard(shard).PK));
    return (await Promise.all(shards)).flat();
  };
  const deleteWith = async (messages: number) => {
    const id = await givenConversation(workspace.ada);
    await givenMessages(workspace, workspace.ada, id, messages);
    await workspace.ada.api.deleteConversation({ params: { id } });
    return id;
  };
  /** As when the message is lost on its way. */
  const deleteUnsent = async (messages: number) => {
    const { config } = workspace.ctx;
    const urls = config.queue_urls;
    config.queue_urls = {};
    const id = await deleteWith(messages);
    config.queue_urls = urls;
    const job = (await jobs()).find(({ body }) => body.conversation_id === id) as Job;
    return { id, job, left: job.body as unknown as LeftMessages };
  };
  const remain = async (id: string) => (await storedMessages(workspace, id)).length;

  longIt('removes them after the response, and the job with them', async () => {
    const id = await deleteWith(1_250);
    await expect.poll(() => remain(id), { timeout: 20_000 }).toBe(0);
    await expect.poll(jobs, { timeout: 20_000 }).toEqual([]);
  });

  it('is sent again by the sweep when its message was lost', async () => {
    const { id } = await deleteUnsent(150);
    expect(await remain(id)).toBe(150);
    expect(await sweepJobs(workspace.ctx)).toBe(0);
    workspace.setTime(new Date(Date.now() + 60 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    workspace.setTime(undefined);
    await expect.poll(() => remain(id), { timeout: 20_000 }).toBe(0);
    await expect.poll(jobs, { timeout: 20_000 }).toEqual([]);
  });

  it('may run twice at once and again, and leaves other conversations alone', async () => {
    const other = await givenConversation(workspace.ada);
    await givenMessages(workspace, workspace.ada, other, 5);
    const { id, job, left } = await deleteUnsent(150);
    const run = () => removeMessages(workspace.table, job.id, left);
    await Promise.all([run(), run()]);
    await run();
    expect([await remain(id), await remain(other)]).toEqual([0, 5]);
    expect(await jobs()).toEqual([]);
  });

  it('removes an answer that arrives in between like any message', async () => {
    const { id, job, left } = await deleteUnsent(120);
    const [message] = await storedMessages(workspace, id);
    await workspace.table.update<Message>(messageKey(id, message?.id as string), {
      set: { reply: { status: 'complete', text: 'Late.', blocks: [], refs: [] } },
      when: mustExist,
    });
    await removeMessages(workspace.table, job.id, left);
    expect(await remain(id)).toBe(0);
  });

  longIt.each(['before', 'after'] as const)(
    'continues where it was cut off, whichever call fails %s it is executed',
    async (when) => {
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const { id, job, left } = await deleteUnsent(110);
        const fault = failCall(workspace.table, call, when);
        await removeMessages(workspace.table, job.id, left).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        // The job stays until it is complete.
        if ((await remain(id)) > 0) expect(await jobs()).toHaveLength(1);
        await removeMessages(workspace.table, job.id, left);
        expect([await remain(id), await jobs()]).toEqual([0, []]);
      }
    },
  );

  it('reports only the messages of a batch that failed', async () => {
    const { id, job, left } = await deleteUnsent(100);
    const messages = ['no json', { job_id: job.id, ...left }];
    expect(await deliverMessages(handler, messages)).toEqual({ failed: ['m0'] });
    expect(await remain(id)).toBe(0);
  });
});
