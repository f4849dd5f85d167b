import type { SQSRecord } from 'aws-lambda';
import { describeError, getLogger } from '#shared/log.ts';
import type { Services } from '#shared/services.ts';
import { type Queue, type QueueName, queues } from './queues.ts';
import { postponeMessage } from './send.ts';
import { TryLater } from './try-later.ts';

/** Seconds. What asks for more is asked again sooner. */
const LONGEST_WAIT = 900;

/**
 * Seconds until a message that failed so many times is tried again: longer each time, up to half of it by chance so
 * that what failed together does not come back together. None after the last time: the dead-letter queue is next.
 */
function waitAfter(waits: readonly number[], failures: number, error: unknown): number {
  const wait = waits[failures - 1];
  if (wait === undefined) return 0;
  const asked = error instanceof TryLater ? error.seconds : 0;
  return Math.min(LONGEST_WAIT, Math.max(asked, wait * (0.5 + Math.random() / 2)));
}

/** What a consumer of a queue with `waits` does with a message that failed. */
export async function postpone(
  services: Services,
  queue: QueueName,
  record: SQSRecord,
  error: unknown,
): Promise<void> {
  const { waits = [] }: Queue = queues[queue];
  const seconds = waitAfter(waits, Number(record.attributes.ApproximateReceiveCount), error);
  try {
    await postponeMessage(services, queue, record.receiptHandle, seconds);
  } catch (cause) {
    getLogger().warn('message keeps its time', { queue, error: describeError(cause) });
  }
}
