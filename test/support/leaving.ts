import { handler as handOver } from '../../functions/queues/hand-over-records.ts';
import { handler as indexRecords } from '../../functions/queues/index-records.ts';
import { handler as indexThreads } from '../../functions/queues/index-threads.ts';
import { deliverMessages, openJobs } from './jobs.ts';
import type { Workspace } from './workspace.ts';

/** Delivers the open jobs of users who left, and then of the lists that follow. */
export async function runHandOvers({ table }: Workspace, remaining_ms?: number): Promise<string[]> {
  const failed: string[] = [];
  for (const [queue, handler] of [
    ['hand-over-records', handOver],
    ['index-records', indexRecords],
    ['index-threads', indexThreads],
  ] as const) {
    const jobs = await openJobs(table, queue);
    const messages = jobs.map(({ id, body }) => ({ job_id: id, ...body }));
    failed.push(...(await deliverMessages(handler, messages, remaining_ms)).failed);
  }
  return failed;
}
