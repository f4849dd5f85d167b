import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { QueueName } from '#shared/queues/queues.ts';
import { clientOptions } from '#shared/services.ts';
import { type Consumer, type LocalQueues, startQueues, startWorker } from '../../infra/local/queues.ts';
import { long, longIt } from '../support/long.ts';

/** The local run handles a failed message as Lambda and SQS do. */
describe('local queues', () => {
  let queues: LocalQueues;
  let client: SQSClient;
  beforeAll(async () => {
    queues = await startQueues();
    client = new SQSClient({ ...clientOptions(queues.endpoint), useQueueUrlAsEndpoint: false });
  });
  afterAll(async () => {
    client?.destroy();
    await queues?.stop();
  });

  /** Delivers the messages of a queue until `enough`, and returns the bodies in order. */
  async function delivered(
    name: QueueName,
    bodies: string[],
    consume: (record: { body: string; receiptHandle: string }) => Promise<boolean>,
    enough: (bodies: string[]) => boolean,
  ): Promise<string[]> {
    const seen: string[] = [];
    const handler: Consumer = async ({ Records }) => {
      const failed: string[] = [];
      for (const record of Records) {
        seen.push(record.body);
        if (!(await consume(record))) failed.push(record.messageId);
      }
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    };
    const QueueUrl = queues.urls[name];
    for (const MessageBody of bodies) await client.send(new SendMessageCommand({ QueueUrl, MessageBody }));
    const worker = startWorker(queues.endpoint, name, QueueUrl, handler);
    await vi.waitUntil(() => enough(seen), { timeout: 20_000, interval: 20 });
    await worker.stop(2_000);
    return seen;
  }

  const times = (bodies: string[], body: string) => bodies.filter((each) => each === body).length;

  it('leaves the delay to a consumer that declares delays', async () => {
    const postpone = async (ReceiptHandle: string, VisibilityTimeout: number) => {
      const QueueUrl = queues.urls['reply-as-assistant'];
      await client.send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
      return false;
    };
    const seen = await delivered(
      'reply-as-assistant',
      ['in an hour', 'in a second'],
      ({ body, receiptHandle }) => postpone(receiptHandle, body === 'in an hour' ? 3_600 : 1),
      (bodies) => times(bodies, 'in a second') === (long ? 4 : 2),
    );
    expect(times(seen, 'in an hour')).toBe(1);
  });

  longIt('delivers messages again that no consumer delayed, also when all of them failed', async () => {
    const seen = await delivered(
      'deliver-notifications',
      ['once', 'twice'],
      async ({ body }) => body === 'once',
      (bodies) => times(bodies, 'twice') === 2,
    );
    expect(times(seen, 'once')).toBe(1);
    const thrown = await delivered(
      'sync-labels',
      ['thrown'],
      () => Promise.reject(new Error('the batch')),
      (bodies) => bodies.length >= 3,
    );
    expect(thrown.slice(0, 3)).toEqual(['thrown', 'thrown', 'thrown']);
  });
});
