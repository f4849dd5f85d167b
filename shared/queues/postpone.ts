import type { SQSRecord } from 'aws-lambda';
import { describeError, getLogger } from '#shared/log.ts';
import type { Services } from '#shared/services.ts';
import { type Queue, type QueueName, queues } from './queues.ts';
import { postponeMessage } from './send.ts';
import { TryLater } from './try-later.ts';

/** Seconds. Longer waits are cut to this. */
const LONGEST_WAIT = 900;

/**
 * Seconds until a message is retried after that many failures: each wait is longer, half of it random so that messages
 * which failed together do not return together. 0 after the last try: the dead-letter queue is next.
 */
function waitAfter(
  { waits = [], local_waits }: Queue,
  { failures, local }: { failures: number; local: boolean },
  error: unknown,
): number {
  const chosen = local && local_waits ? local_waits : waits;
  const wait = chosen[failures - 1];
  if (wait === undefined) return 0;
  const asked = error instanceof TryLater && chosen === waits ? error.seconds : 0;
  return Math.min(LONGEST_WAIT, Math.max(asked, wait * (0.5 + Math.random() / 2)));
}

/** How a consumer of a queue with `waits` treats a failed message. */
export async function postpone(
  services: Services,
  queue: QueueName,
  record: SQSRecord,
  error: unknown,
): Promise<void> {
  const failures = Number(record.attributes.ApproximateReceiveCount);
  const local = services.config.sqs_endpoint !== undefined;
  const seconds = waitAfter(queues[queue], { failures, local }, error);
  try {
    await postponeMessage(services, queue, record.receiptHandle, seconds);
  } catch (cause) {
    getLogger().warn('message keeps its time', { queue, error: describeError(cause) });
  }
}
