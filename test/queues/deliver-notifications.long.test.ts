import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DeliveryJob } from '#shared/domain/collaboration/notifications/emit.ts';
import { failCall } from '../support/faults.ts';
import { SHORT_STRIDE } from '../support/long.ts';
import { givenCrowd, type ToldCrowd } from '../support/told-crowd.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Notifications that do not fit into the transaction of their event. */
describe('queue notifications', () => {
  let workspace: Workspace;
  let crowd: ToldCrowd;
  let everybody: string[];
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true, own_table: true });
    crowd = await givenCrowd(workspace, 210);
    ({ everybody } = crowd);
  });
  afterAll(() => workspace?.stop());

  const times = (count: number, user_ids: string[]) => user_ids.map(() => count);
  it('killed at any call to the table, and delivered again, it tells each user once', async () => {
    // Two transactions of the job.
    const many = everybody.slice(0, 210);
    // Some users of each transaction, to keep the run short.
    const some = many.filter((_, i) => i % 7 === 0);
    const record = await crowd.givenContact(many);
    let rounds = 0;
    for (let call = 1, reached = true; reached; call += SHORT_STRIDE) {
      for (const when of ['before', 'after'] as const) {
        const written = await crowd.comment(record);
        const [job, ...more] = (await crowd.openJobs()) as [DeliveryJob, ...DeliveryJob[]];
        expect(more).toEqual([]);
        const fault = failCall(workspace.table, call, when);
        const failed = await crowd.deliver(job);
        fault.remove();
        reached = fault.hit;
        expect(failed).toBe(reached ? 1 : 0);
        if (reached) rounds++;
        expect(await crowd.deliver(job, job)).toBe(0);
        expect(await crowd.timesTold(written.id, some)).toEqual(times(1, some));
        expect(await crowd.openJobs()).toEqual([]);
      }
    }
    // The job, account, users, contact, whether it was merged, transaction: twice. Then no job is left.
    expect(rounds).toBe(2 * Math.ceil(13 / SHORT_STRIDE));
  });
});
