import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import {
  atMost,
  ConditionFailed,
  either,
  missing,
  present,
  type Table,
  type Update,
} from '#shared/table/table.ts';
import { findJob, type Job } from './job.ts';

/** Work that must not be done twice at once, because it reaches others: a job that one worker holds. */

/**
 * Takes a job for so many milliseconds, longer than its worker lives; undefined when it is complete. Throws TryLater
 * while another worker has it: a message that is delivered twice has one effect.
 */
export async function holdJob<Held extends Job>(
  table: Table,
  job_id: string,
  { now, milliseconds, add }: { now: Date; milliseconds: number; add?: Update<Held>['add'] },
): Promise<Held | undefined> {
  const taken: Update<Job> = {
    set: { held_until: now.getTime() + milliseconds },
    when: { PK: present, held_until: either(missing, atMost(now.getTime())) },
  };
  try {
    return await table.update<Held>(keys.job(job_id), {
      ...(taken as Update<Held>),
      ...(add ? { add } : {}),
    });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    const job = await findJob(table, job_id);
    if (!job) return undefined;
    const seconds = Math.ceil(Math.max(1_000, (job.held_until ?? 0) - now.getTime()) / 1_000);
    throw new TryLater('Another worker has this job', seconds);
  }
}

/** Releases it for another try. `set` is what else is known of it by now. */
export async function freeJob<Held extends Job>(
  table: Table,
  { id, held_until = 0 }: Held,
  set: Update<Held>['set'] = {},
): Promise<void> {
  const freed: Update<Job> = { remove: ['held_until'], when: { held_until } };
  try {
    await table.update<Held>(keys.job(id), { ...(freed as Update<Held>), set });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
