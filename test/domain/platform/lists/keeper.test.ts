import { describe, expect, it } from 'vitest';
import type { Context } from '#shared/context.ts';
import { begin } from '#shared/domain/platform/jobs/commit.ts';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import {
  type KeepsLists,
  type ListKeeper,
  listJobs,
  resumeLists,
} from '#shared/domain/platform/lists/keeper.ts';
import type { QueueName } from '#shared/queues/queues.ts';

describe('families that keep lists', () => {
  const now = new Date('2026-11-20T09:30:00.000Z');
  const change = { account_id: 'account', group_id: 'group', user_ids: ['ada'] };

  /** Keepers that record their calls. */
  function keepers(...queues: QueueName[]) {
    const noted: string[] = [];
    const keeperOf = (queue: QueueName): ListKeeper => ({
      jobAfter: (_, moment, cause) => newJob(queue, {}, moment, `${queue} ${cause}`),
      async runNow(_ctx, { id }) {
        noted.push(`${queue} runs ${id}`);
      },
      async resume(_ctx, cause) {
        noted.push(`${queue} resumes ${cause}`);
      },
    });
    const lists = Object.fromEntries(queues.map((queue) => [queue, keeperOf(queue)]));
    return { ctx: { now, ports: { lists } } as unknown as Context<KeepsLists>, noted };
  }

  it('each has its job for a change, and runs its own', async () => {
    const { ctx, noted } = keepers('index-threads', 'clean-up-tag');
    const jobs = listJobs(ctx, change, 'why');
    expect(jobs.map(({ queue }) => queue)).toEqual(['index-threads', 'clean-up-tag']);
    await begin(ctx, jobs);
    await resumeLists(ctx, 'why');
    expect(noted).toEqual([
      'index-threads runs index-threads why',
      'clean-up-tag runs clean-up-tag why',
      'index-threads resumes why',
      'clean-up-tag resumes why',
    ]);
  });

  it('without any, a change makes no job', async () => {
    const { ctx, noted } = keepers();
    expect(listJobs(ctx, change)).toEqual([]);
    await resumeLists(ctx, 'why');
    expect(noted).toEqual([]);
  });
});
