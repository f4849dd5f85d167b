import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { User } from './user.ts';

/** The message of the queue `hand-over-records`: what a user who leaves had. */
export interface HandOver {
  account_id: string;
  user_id: string;
  /** Who gets it; null for the account's owner. */
  to: string | null;
}

/** The job that deletes the keys of a user who leaves, and gives others what the user owned. */
export function handOver({ account_id, id }: User, to: string | null, now: Date): Job {
  const body: HandOver = { account_id, user_id: id, to };
  return newJob('hand-over-records', { ...body }, now);
}
