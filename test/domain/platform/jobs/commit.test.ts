import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { enqueue, type Job, newJob, unsentJob } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustExist, update } from '#shared/table/table.ts';
import { openJobs } from '../../../support/jobs.ts';
import { linesOf, logged } from '../../../support/logged.ts';
import { startWorkspace, type Workspace } from '../../../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace();
});
afterAll(() => workspace?.stop());

const now = new Date();
const stored = async (id: string) => workspace.table.get<Job & { version?: number }>(keys.job(id));

/** The jobs whose messages the change tried to send: there are no queues, and the log names the jobs. */
async function sentBy(jobs: Job[]): Promise<string[]> {
  const written = await logged(() => commit(workspace.ctx, { writes: [], jobs }));
  return linesOf(written, 'job left to the sweep').map(({ job_id }) => job_id as string);
}

describe('a change', () => {
  it('writes its jobs and sends their messages', async () => {
    const job = newJob('remove-messages', { conversation_id: 'c' }, now);
    expect(await sentBy([job])).toEqual([job.id]);
    expect(await stored(job.id)).toEqual(job);
  });

  it('leaves jobs for the sweep to the sweep', async () => {
    const job = unsentJob('deliver-notifications', {}, now);
    expect(await sentBy([job])).toEqual([]);
    expect(await stored(job.id)).toEqual(job);
  });

  it('writes a job with its own update, and sends its message like any other', async () => {
    const job = newJob('sync-labels', { thread_id: 't' }, now);
    const { PK, SK, ...set } = job;
    type Growing = Job & { version: number };
    const growing = { ...job, write: update<Growing>({ PK, SK }, { set, add: { version: 1 } }) };
    for (const version of [1, 2]) {
      expect(await sentBy([growing])).toEqual([job.id]);
      expect(await stored(job.id)).toEqual({ ...job, version });
    }
    expect(enqueue(growing)).toBe(growing.write);
  });

  it('writes no job and sends no message when it fails', async () => {
    const job = newJob('remove-messages', {}, now);
    const before = (await openJobs(workspace.table, 'remove-messages')).length;
    const written = await logged(async () => {
      const writes = [{ check: keys.tag('nobody', 'x'), when: mustExist }];
      await expect(commit(workspace.ctx, { writes, jobs: [job] })).rejects.toThrow(ConditionFailed);
    });
    expect(linesOf(written, 'job left to the sweep')).toEqual([]);
    expect(await openJobs(workspace.table, 'remove-messages')).toHaveLength(before);
  });
});
