import { type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import type { RecordType } from '#shared/table/keys.ts';

/**
 * The message of the queue `index-records`: records whose lists may have changed, or a group whose members changed;
 * `ended` when it is gone.
 */
export type Indexing =
  | { record_type: RecordType; record_ids: string[] }
  | {
      account_id: string;
      group_id: string;
      ended?: true;
      /** The last share of the group that is done. */
      after?: string;
    };

/** Milliseconds after which the sweep sends what its request did not do: longer than a request may run. */
const UNSENT = 60_000;

/** With an `id` of its own, enqueueing it again finds the same job. */
export function indexingJob(indexing: Indexing, now: Date, id?: string): Job {
  return { ...newJob('index-records', indexing, now, id), due: now.getTime() + UNSENT, sends: 0 };
}
