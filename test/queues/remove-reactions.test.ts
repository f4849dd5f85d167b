import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LeftReactions, removeReactions } from '#shared/domain/collaboration/comments/delete.ts';
import { type Job, newJob, sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/remove-reactions.ts';
import { givenComment, givenReactions, remains } from '../support/comments.ts';
import { failCall } from '../support/faults.ts';
import { deliverMessages } from '../support/jobs.ts';
import { longIt, STRIDE } from '../support/long.ts';
import { type GivenThread, givenThread } from '../support/threads.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** A comment with more reactions than fit into one transaction is deleted at once; a job removes its reactions. */
describe('queue remove-reactions', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace?.stop());

  const jobs = async (): Promise<Job[]> => {
    const shards = [0, 1, 2, 3].map((shard) => workspace.table.all<Job>(keys.jobShard(shard).PK));
    return (await Promise.all(shards)).flat();
  };
  const deleteWith = async (reactions: number) => {
    const comment = await givenComment(workspace.grace, thread);
    await givenReactions(workspace, workspace.ada, thread, comment, reactions);
    await workspace.grace.api.deleteComment({ params: { id: comment.id } });
    return comment;
  };
  /** As when the message is lost on its way. */
  const deleteUnsent = async (reactions: number) => {
    const { config } = workspace.ctx;
    const urls = config.queue_urls;
    config.queue_urls = {};
    const comment = await deleteWith(reactions);
    config.queue_urls = urls;
    const job = (await jobs()).find(({ body }) => body.comment_id === comment.id) as Job;
    return { comment, job, left: job.body as unknown as LeftReactions };
  };

  it('removes them after the response, and the job with them', async () => {
    const comment = await deleteWith(250);
    await expect.poll(() => remains(workspace, thread, comment), { timeout: 10_000 }).toEqual([]);
    await expect.poll(jobs, { timeout: 10_000 }).toEqual([]);
  });

  it('is sent again although another job has no queue to go to', async () => {
    const { table, ctx } = workspace;
    const now = new Date(Date.now() + 60 * 60_000);
    const lost = { ...newJob('remove-reactions', {}, new Date(0)), queue: 'gone' } as unknown as Job;
    await table.put(lost);
    const { comment } = await deleteUnsent(150);
    workspace.setTime(now);
    expect(await sweepJobs(ctx)).toBe(1);
    workspace.setTime(undefined);
    await expect.poll(() => remains(workspace, thread, comment), { timeout: 10_000 }).toEqual([]);
    const open = async () => (await jobs()).map(({ id, sends }) => ({ id, sends }));
    await expect.poll(open, { timeout: 10_000 }).toEqual([{ id: lost.id, sends: 2 }]);
    await table.delete(keys.job(lost.id));
  });

  it('is sent again by the sweep when its message was lost', async () => {
    const { comment } = await deleteUnsent(150);
    expect(await remains(workspace, thread, comment)).toHaveLength(150);
    expect(await sweepJobs(workspace.ctx)).toBe(0);
    workspace.setTime(new Date(Date.now() + 60 * 60_000));
    expect(await sweepJobs(workspace.ctx)).toBe(1);
    workspace.setTime(undefined);
    await expect.poll(() => remains(workspace, thread, comment), { timeout: 10_000 }).toEqual([]);
    await expect.poll(jobs, { timeout: 10_000 }).toEqual([]);
  });

  longIt('may run twice at once and again, and leaves other comments alone', async () => {
    const other = await givenComment(workspace.grace, thread);
    await givenReactions(workspace, workspace.ada, thread, other, 5);
    const { comment, job, left } = await deleteUnsent(150);
    const run = () => removeReactions(workspace.table, job.id, left);
    await Promise.all([run(), run()]);
    await run();
    expect(await remains(workspace, thread, comment)).toEqual([]);
    expect(await jobs()).toEqual([]);
    // The comment, who wrote it, five reactions and the pointer.
    expect(await remains(workspace, thread, other)).toHaveLength(8);
  });

  longIt.each(['before', 'after'] as const)(
    'continues where it was cut off, whichever call fails %s it is executed',
    async (when) => {
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const { comment, job, left } = await deleteUnsent(120);
        const fault = failCall(workspace.table, call, when);
        await removeReactions(workspace.table, job.id, left).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        // The job stays until it is complete.
        if ((await remains(workspace, thread, comment)).length > 0) expect(await jobs()).toHaveLength(1);
        await removeReactions(workspace.table, job.id, left);
        expect(await remains(workspace, thread, comment)).toEqual([]);
        expect(await jobs()).toEqual([]);
      }
    },
  );

  it('reports only the messages of a batch that failed', async () => {
    const { comment, job, left } = await deleteUnsent(100);
    const messages = ['no json', { job_id: job.id, ...left }];
    expect(await deliverMessages(handler, messages)).toEqual({ failed: ['m0'] });
    expect(await remains(workspace, thread, comment)).toEqual([]);
  });
});
