import { keyOf } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { isGivenUp, type Job, openJobs } from './job.ts';

/** Has the jobs sent again that the sweep gave up, from the beginning: the next sweep does. Returns them. */
export async function sendGivenUp(table: Table, now: Date): Promise<Job[]> {
  const sent: Job[] = [];
  for await (const job of openJobs(table)) {
    if (!isGivenUp(job, now.getTime())) continue;
    const { due, sends } = job;
    const begun = { set: { due: now.getTime(), sends: 0 }, when: { due, sends } };
    if (await tryUpdate<Job>(table, keyOf(job), begun)) sent.push(job);
  }
  return sent;
}
