import { ChangeMessageVisibilityCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, type Services } from '#shared/services.ts';
import type { QueueName } from './queues.ts';

const clients = new Map<string, SQSClient>();

function clientFor(services: Services): SQSClient {
  const endpoint = services.config.sqs_endpoint;
  let client = clients.get(endpoint ?? '');
  if (!client) {
    // The queue URLs of a local server name hosts that only resolve in the cloud.
    client = new SQSClient({ ...clientOptions(endpoint), useQueueUrlAsEndpoint: endpoint === undefined });
    clients.set(endpoint ?? '', client);
  }
  return client;
}

function urlOf(services: Services, queue: QueueName): string {
  const url = services.config.queue_urls[queue];
  if (!url) throw new Error(`The URL of queue ${queue} is not configured`);
  return url;
}

/** `delay`: seconds until it is delivered, 900 at most. */
export async function sendMessage(
  services: Services,
  queue: QueueName,
  body: unknown,
  delay = 0,
): Promise<void> {
  const QueueUrl = urlOf(services, queue);
  const later = delay > 0 ? { DelaySeconds: Math.ceil(delay) } : {};
  await clientFor(services).send(
    new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body), ...later }),
  );
}

/** Makes a received message visible again after so many seconds, unless it is deleted. */
export async function postponeMessage(
  services: Services,
  queue: QueueName,
  ReceiptHandle: string,
  seconds: number,
): Promise<void> {
  const QueueUrl = urlOf(services, queue);
  const VisibilityTimeout = Math.ceil(seconds);
  await clientFor(services).send(
    new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }),
  );
}
