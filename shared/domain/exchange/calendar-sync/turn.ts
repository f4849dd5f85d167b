import { freeJob, holdJob } from '#shared/domain/platform/jobs/hold.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { HOLD, type SyncContext } from './syncing.ts';

/**
 * The job of a calendar, or of the calendars of a mailbox, which one worker has at a time. What ends the process of each run
 * must not keep the calendar from its state: runs are counted before they read.
 */

type ReadingJob = Job & {
  /** Runs in a row whose process ended. */
  tries?: number;
};

/** Runs whose process may end: every deployment ends one. */
const TRIES = 2;

export const takeReading = (ctx: SyncContext, job_id: string): Promise<ReadingJob | undefined> =>
  holdJob<ReadingJob>(ctx.table, job_id, { now: ctx.now, milliseconds: HOLD, add: { tries: 1 } });

export const hasStopped = ({ tries = 0 }: ReadingJob): boolean => tries > TRIES;

/** The run ended, and its process did not. */
export const freeReading = ({ table }: SyncContext, job: ReadingJob): Promise<void> =>
  freeJob(table, job, { tries: 0 });
