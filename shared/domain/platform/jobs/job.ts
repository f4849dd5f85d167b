import { asOfNow, type Context } from '#shared/context.ts';
import { newId } from '#shared/ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import type { QueueName } from '#shared/queues/queues.ts';
import { sendMessage } from '#shared/queues/send.ts';
import { JOB_SHARDS, keys } from '#shared/table/keys.ts';
import {
  ConditionFailed,
  type Item,
  present,
  type Table,
  type Update,
  update,
  type Write,
} from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';

/**
 * A job is an item of a transactional outbox: it is enqueued in the transaction that makes the work necessary, and
 * completed in the one that does the last of it. Its message is sent at once; the sweep sends lost messages again. So a
 * job may be delivered more than once, and every consumer is idempotent (docs/decisions/0007).
 */
export type Job = Item & {
  id: string;
  queue: QueueName;
  body: Record<string, unknown>;
  /** Milliseconds: from then on the sweep sends it again. */
  due: number;
  sends: number;
  /** Milliseconds: until then a worker holds it, and others leave it alone. */
  held_until?: number;
  /** Seconds until its first message is delivered, 900 at most. */
  delay?: number;
};

/** A message is sent again after a quarter of an hour, later ones at growing intervals. */
const RESEND_AFTER = 15 * 60_000;
/** After that it is given up: it gets an end, or stays for operators. */
const MAX_SENDS = 6;

/** A job to enqueue. */
export type NewJob = Job & {
  /** How it is written, when not as a whole: a waiting job of the same id is extended instead. */
  write?: Write;
};

/** With an `id` of its own, a job that is enqueued again is the same job. */
export function newJob(queue: QueueName, body: Record<string, unknown>, now: Date, id = newId(now)): Job {
  return { ...keys.job(id), id, queue, body, due: now.getTime() + RESEND_AFTER, sends: 1 };
}

/** The same job for all who ask: one that waits or runs is extended, and then runs once more. */
export function sharedJob<Shared extends Job = Job>(
  queue: QueueName,
  body: Shared['body'],
  { id, now, add }: { id: string; now: Date; add?: Update<Shared>['add'] },
): NewJob {
  const job = newJob(queue, body, now, id);
  const { PK, SK, ...set } = job;
  return { ...job, write: update<Shared>({ PK, SK }, { set, ...(add ? { add } : {}) } as Update<Shared>) };
}

/** Its message is delivered after so many seconds, and is not taken for lost before. */
export const delayed = (job: Job, delay: number): Job => ({ ...job, delay, due: job.due + delay * 1_000 });

/** Its message is not sent at once: the next sweep sends it, within a minute. */
export function unsentJob(queue: QueueName, body: Record<string, unknown>, now: Date): Job {
  return { ...newJob(queue, body, now), due: now.getTime(), sends: 0 };
}

export function enqueue({ write, ...job }: NewJob): Write {
  return write ?? { put: job };
}

export function complete(jobId: string): Write {
  return { delete: keys.job(jobId) };
}

/** Undefined when it is complete. */
export const findJob = (table: Table, id: string): Promise<Job | undefined> => table.get<Job>(keys.job(id));

/** Sends a job whose item is written. A failure is left to the sweep: the job is in the table. */
export async function dispatch(ctx: Context, job: Job): Promise<void> {
  try {
    await sendMessage(ctx, job.queue, { job_id: job.id, ...job.body }, job.delay);
  } catch (error) {
    getLogger().error('job left to the sweep', { job_id: job.id, error: describeError(error) });
  }
}

/** For a consumer whose time is up: sends another message of the job, unless it is complete. */
export async function dispatchAgain(ctx: Context, jobId: string): Promise<void> {
  const job = await findJob(ctx.table, jobId);
  if (job) await dispatch(ctx, job);
}

/**
 * It begins anew, so that no sweep sends it beside its message, which is delivered after `delay` seconds, or gives it up.
 * Undefined when it is complete.
 */
export function renewJob(ctx: Context, jobId: string, delay = 0): Promise<Job | undefined> {
  const due = asOfNow(ctx).now.getTime() + delay * 1_000 + RESEND_AFTER;
  return tryUpdate<Job>(ctx.table, keys.job(jobId), { set: { due, sends: 1 }, when: { PK: present } });
}

/** For a consumer whose time is up, after progress: the rest may take any number of runs. */
export async function dispatchRest(ctx: Context, jobId: string): Promise<void> {
  const job = await renewJob(ctx, jobId);
  if (job) await dispatch(ctx, job);
}

async function resend(ctx: Context, job: Job, orphaned: boolean): Promise<boolean> {
  const free = orphaned && job.held_until !== undefined;
  try {
    await ctx.table.update<Job>(keys.job(job.id), {
      set: {
        due: ctx.now.getTime() + RESEND_AFTER * 2 ** job.sends,
        held_until: free ? ctx.now.getTime() : undefined,
      },
      add: { sends: 1 },
      when: { due: job.due },
    });
  } catch (error) {
    // Complete, or taken by another sweep.
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
  try {
    await sendMessage(ctx, job.queue, { job_id: job.id, ...job.body });
    return true;
  } catch (error) {
    // The other jobs are sent; a later sweep retries this one.
    getLogger().error('job left to the next sweep', { job_id: job.id, error: describeError(error) });
    return false;
  }
}

/** It was sent as often as it may be, and no worker has it. */
export const isGivenUp = ({ due, sends, held_until = 0 }: Job, now: number): boolean =>
  sends >= MAX_SENDS && Math.max(due, held_until) <= now;

export async function* openJobs(table: Table): AsyncGenerator<Job> {
  for (let shard = 0; shard < JOB_SHARDS; shard++)
    for await (const page of table.pages<Job>(keys.jobShard(shard).PK, keys.jobShard(shard).SK)) yield* page;
}

/**
 * Sends every overdue job again, and returns their number. `orphaned` is for a start without queues and workers of an
 * earlier run: it sends all jobs and frees those that a worker held. `giveUp` gets the jobs that reached the maximum
 * number of sends, and that no worker has.
 */
export async function sweepJobs(
  ctx: Context,
  { orphaned = false, giveUp }: { orphaned?: boolean; giveUp?: (job: Job) => Promise<void> } = {},
): Promise<number> {
  const sweeping = asOfNow(ctx);
  const now = sweeping.now.getTime();
  let sent = 0;
  for await (const job of openJobs(ctx.table)) {
    if (orphaned || (job.due <= now && job.sends < MAX_SENDS)) {
      if (await resend(sweeping, job, orphaned)) sent++;
    } else if (isGivenUp(job, now)) await giveUp?.(job);
  }
  return sent;
}
