import type { Job } from '#shared/domain/platform/jobs/job.ts';
import type { QueueHandler } from '#shared/queues/consume.ts';
import type { QueueName } from '#shared/queues/queues.ts';
import { JOB_SHARDS, keyOf, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Enqueued jobs, whose messages the test delivers. */

async function allJobs<J extends Job>(table: Table): Promise<J[]> {
  const shards = Array.from({ length: JOB_SHARDS }, (_, shard) => keys.jobShard(shard));
  return (await Promise.all(shards.map(({ PK, SK }) => table.all<J>(PK, SK)))).flat();
}

/** Mail requests it by chance. */
const BY_CHANCE: QueueName = 'sort-texts';

/** The jobs that are not done: of one queue, or of all but those that come by chance. */
export async function openJobs<J extends Job = Job>(table: Table, queue?: QueueName): Promise<J[]> {
  const jobs = await allJobs<J>(table);
  return jobs.filter((job) => (queue === undefined ? job.queue !== BY_CHANCE : job.queue === queue));
}

/** Deletes jobs that earlier test files left in the shared table, because the sweep reads all accounts. */
export async function dropJobs(table: Table): Promise<void> {
  const left = await allJobs(table);
  await table.writeMany(left.map((job) => ({ delete: keyOf(job) })));
}

/** Delivers messages like SQS: texts unchanged, everything else as JSON. Their ids are `m0`, `m1` and so on. */
export async function deliverMessages(
  handler: QueueHandler,
  bodies: unknown[],
  remaining_ms = 60_000,
  receives = 1,
): Promise<{ failed: string[] }> {
  const Records = bodies.map((body, i) => ({
    messageId: `m${i}`,
    receiptHandle: 'none',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    attributes: { ApproximateReceiveCount: String(receives) },
    eventSource: 'aws:sqs',
  }));
  const context = { getRemainingTimeInMillis: () => remaining_ms };
  const { batchItemFailures } = await handler({ Records } as never, context);
  return { failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier) };
}

/** As after the last sending by the sweep, each of which failed. */
export async function sentTooOften(table: Table, queue: QueueName): Promise<void> {
  for (const { id } of await openJobs(table, queue))
    await table.update<Job>(keys.job(id), { set: { sends: 6, due: 0 } });
}
