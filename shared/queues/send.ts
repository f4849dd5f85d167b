import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { clientOptions, type Services } from '../services.ts';
import type { QueueName } from './queues.ts';

const clients = new Map<string, SQSClient>();

function clientFor(services: Services): SQSClient {
  const endpoint = services.config.sqs_endpoint;
  let client = clients.get(endpoint ?? '');
  if (!client) {
    // A local server's queue URLs name hosts that only a cloud resolves.
    client = new SQSClient({ ...clientOptions(endpoint), useQueueUrlAsEndpoint: endpoint === undefined });
    clients.set(endpoint ?? '', client);
  }
  return client;
}

export async function sendMessage(services: Services, queue: QueueName, body: unknown): Promise<void> {
  const QueueUrl = services.config.queue_urls[queue];
  if (!QueueUrl) throw new Error(`The URL of queue ${queue} is not configured`);
  await clientFor(services).send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(body) }));
}
