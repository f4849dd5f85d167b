import type { Context } from '#shared/context.ts';
import type { Thread } from '#shared/domain/mail/threads/thread.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { enqueue, type NewJob } from '#shared/domain/platform/jobs/job.ts';
import { queues } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';
import {
  atMost,
  ConditionFailed,
  missing,
  present,
  type Table,
  type Update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { type LabelJob, owe } from './job.ts';

/** Milliseconds; longer than a worker lives, so that no two workers write to the same servers. */
export const HOLD = 1.5 * queues['sync-labels'].timeout * 1_000;

/** The job, held by this worker; undefined when it is complete, or another worker holds it. */
export function claim(
  table: Table,
  job_id: string,
  worker: string,
  now: Date,
): Promise<LabelJob | undefined> {
  return tryUpdate<LabelJob>(table, keys.job(job_id), {
    set: { worker, held_until: now.getTime() + HOLD },
    when: [
      { PK: present, worker: missing },
      { PK: present, worker },
      { PK: present, held_until: atMost(now.getTime()) },
    ],
  });
}

/**
 * Claims a job again that could not be completed. A worker that lost it while writing to the servers may have finished
 * after one with a newer state, so the same labels are written once more; undefined when another worker holds it and
 * will notice.
 */
export async function claimAgain(table: Table, job: LabelJob, now: Date): Promise<LabelJob | undefined> {
  // No message: this worker continues with it.
  await table.transact([enqueue(owe(job.body, job, now))]);
  return claim(table, job.id, job.worker as string, now);
}

/** Frees the job for the next worker. */
export async function release(table: Table, { id, worker }: LabelJob): Promise<void> {
  const free: Update<LabelJob> = { remove: ['worker', 'held_until'], when: { worker: worker as string } };
  await table.update(keys.job(id), free, 'NONE').catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

/** Leaves the job to the sweep, which sends it again at that moment, however often that happens. */
export async function park(table: Table, { id, worker }: LabelJob, until: number): Promise<void> {
  const waiting: Update<LabelJob> = {
    set: { due: until, sends: 1 },
    remove: ['worker', 'held_until'],
    when: { worker: worker as string },
  };
  await table.update(keys.job(id), waiting, 'NONE').catch((error: unknown) => {
    if (!(error instanceof ConditionFailed)) throw error;
  });
}

async function unlessChanged(write: Promise<void>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Completes the job as it was claimed. */
function end({ id, version, worker }: LabelJob): Write {
  return { delete: keys.job(id), when: when<LabelJob>({ version, worker: worker as string }) };
}

/** False when something changed since it was claimed, or the thread was merged: then the servers have old values. */
export function settle(table: Table, job: LabelJob): Promise<boolean> {
  const unmerged = {
    check: keys.record('threads', job.body.thread_id),
    when: when<Thread>({ merged_into: missing }),
  };
  return unlessChanged(table.transact([end(job), unmerged]));
}

/** Passes the job on to the thread that this one was merged into. False when something changed meanwhile. */
export function handOver(ctx: Context, job: LabelJob, owed: NewJob): Promise<boolean> {
  return unlessChanged(commit(ctx, { writes: [end(job)], jobs: [owed] }));
}
