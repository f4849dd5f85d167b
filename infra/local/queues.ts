import {
  ChangeMessageVisibilityBatchCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { buildApp } from 'fauxqs';
import { describeError, getLogger } from '#shared/log.ts';
import { MAX_RECEIVES, type QueueName, queueNames, queues } from '#shared/queues/queues.ts';
import { clientOptions } from '#shared/services.ts';
import { ownPlace, urlOf } from './place.ts';

/** SQS on a laptop, with Lambda's event source: receives messages, calls the consumer, deletes handled messages. */

export interface LocalQueues {
  endpoint: string;
  urls: Record<QueueName, string>;
  /** Every queue's URL without its name. */
  url_prefix: string;
  stop(): Promise<void>;
}

function sqsClient(endpoint: string): SQSClient {
  // The emulator's queue URLs name hosts that only resolve in the cloud.
  return new SQSClient({ ...clientOptions(endpoint), useQueueUrlAsEndpoint: false });
}

async function createQueue(client: SQSClient, name: string, Attributes: Record<string, string>) {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName: name, Attributes }));
  const { Attributes: found } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] }),
  );
  return { url: QueueUrl as string, arn: found?.QueueArn as string };
}

/** Every queue with its dead-letter queue. */
export async function startQueues(place = ownPlace): Promise<LocalQueues> {
  const app = buildApp({ logger: false });
  await app.listen(place);
  const endpoint = urlOf(app.server);
  const client = sqsClient(endpoint);
  const urls = {} as Record<QueueName, string>;
  for (const name of queueNames) {
    const dead = await createQueue(client, `${name}-dead`, {});
    const queue = await createQueue(client, name, {
      VisibilityTimeout: String(queues[name].timeout * 6),
      RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: MAX_RECEIVES }),
    });
    urls[name] = queue.url;
  }
  client.destroy();
  const url_prefix = urls['import-mail'].slice(0, -'import-mail'.length);
  return { endpoint, urls, url_prefix, stop: () => app.close() };
}

export type Consumer = (
  event: SQSEvent,
  context: { getRemainingTimeInMillis(): number },
) => Promise<SQSBatchResponse>;

/**
 * Seconds until a failed message that was not postponed is retried here; the cloud waits for the visibility timeout.
 */
const RETRY_SECONDS = 1;

function toEvent(messages: Message[]): SQSEvent {
  return {
    Records: messages.map((message) => ({
      messageId: message.MessageId,
      receiptHandle: message.ReceiptHandle,
      body: message.Body,
      attributes: { ApproximateReceiveCount: message.Attributes?.ApproximateReceiveCount ?? '1' },
      eventSource: 'aws:sqs',
    })),
  } as unknown as SQSEvent;
}

/** The messages of a batch to deliver again, and those of them that no consumer has postponed. */
interface Left {
  again: Set<string>;
  retried: Set<string>;
}

export interface WorkerOptions {
  /** Failed messages return at once, postponed ones as well, for tests that cannot wait as long as the cloud. */
  impatient?: boolean;
  /** Seconds a long poll waits. A worker that stops may leave one behind, which takes the next message. */
  poll_seconds?: number;
}

async function consumed(
  name: QueueName,
  messages: Message[],
  consume: Consumer,
  { impatient = false }: WorkerOptions,
): Promise<Left> {
  const deadline = Date.now() + queues[name].timeout * 1_000;
  const context = { getRemainingTimeInMillis: () => Math.max(0, deadline - Date.now()) };
  try {
    const { batchItemFailures } = await consume(toEvent(messages), context);
    const again = new Set(batchItemFailures.map((failure) => failure.itemIdentifier));
    // For a queue with waits, its consumer has set the time of return.
    return { again, retried: 'waits' in queues[name] && !impatient ? new Set() : again };
  } catch (error) {
    getLogger().error('queue consumer failed', { queue: name, error: describeError(error) });
    const all = new Set(messages.map((message) => message.MessageId as string));
    return { again: all, retried: all };
  }
}

async function deliver(
  client: SQSClient,
  name: QueueName,
  url: string,
  messages: Message[],
  consume: Consumer,
  options: WorkerOptions,
) {
  const { again, retried } = await consumed(name, messages, consume, options);
  const entries = (chosen: (id: string) => boolean) =>
    messages
      .filter((message) => chosen(message.MessageId as string))
      .map((message, i) => ({ Id: String(i), ReceiptHandle: message.ReceiptHandle }));
  const done = entries((id) => !again.has(id));
  const soon = entries((id) => retried.has(id)).map((entry) => ({
    ...entry,
    VisibilityTimeout: options.impatient ? 0 : RETRY_SECONDS,
  }));
  if (done.length > 0) await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: done }));
  if (soon.length > 0)
    await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries: soon }));
}

export interface Worker {
  /** Stops polling and waits for the current batch, at most `grace` milliseconds. */
  stop(grace: number): Promise<void>;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export function startWorker(
  endpoint: string,
  name: QueueName,
  url: string,
  consume: Consumer,
  options: WorkerOptions = {},
): Worker {
  const client = sqsClient(endpoint);
  const stopping = new AbortController();
  const poll = async () => {
    while (!stopping.signal.aborted) {
      try {
        const { Messages = [] } = await client.send(
          new ReceiveMessageCommand({
            QueueUrl: url,
            MaxNumberOfMessages: queues[name].batch_size,
            WaitTimeSeconds: options.poll_seconds ?? 1,
            MessageSystemAttributeNames: ['ApproximateReceiveCount'],
          }),
          { abortSignal: stopping.signal },
        );
        if (Messages.length > 0) await deliver(client, name, url, Messages, consume, options);
      } catch (error) {
        if (stopping.signal.aborted) return;
        getLogger().error('queue poll failed', { queue: name, error: describeError(error) });
        await pause(1_000);
      }
    }
  };
  const running = poll();
  return {
    stop: async (grace) => {
      stopping.abort();
      await Promise.race([running, pause(grace)]);
      client.destroy();
    },
  };
}
