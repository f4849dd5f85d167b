import { ModelFailed } from '#shared/domain/assistant/answering/failure.ts';
import { isOutage } from '#shared/table/failures.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, type Table } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import type { ThreadWork } from './thread-work.ts';

/**
 * A thread that stops the run whenever the agents look at it, even by ending the process, must not keep them from the
 * threads after it (as in mail/imports/suspect.ts): after some runs without progress it is left out.
 */

/** Runs without progress before a thread is left out: every deployment interrupts one run. */
const TRIES = 2;

/** Counts one more run. Undefined when the job is complete. */
export const beginRun = (table: Table, job_id: string): Promise<ThreadWork | undefined> =>
  tryUpdate<ThreadWork>(table, keys.job(job_id), { add: { tries: 1 }, when: mustExist });

/** Whether the thread at which the job is stopped all runs. */
export const isPoison = ({ tries = 0 }: ThreadWork): boolean => tries > TRIES;

/** A run that failed for another reason than its thread does not count. */
export async function uncount(table: Table, { id }: ThreadWork, error: unknown): Promise<void> {
  if (isOutage(error) || error instanceof ModelFailed)
    await tryUpdate<ThreadWork>(table, keys.job(id), { set: { tries: 0 }, when: mustExist });
}
