import { queueNames } from '#shared/queues/queues.ts';
import type { Kind } from './kind.ts';

/** Sending messages. The mode is the queue. */
export const queue = {
  modes: queueNames,
  grants: (names, deployment) =>
    [...names].map((name) => ({
      actions: ['sqs:SendMessage'],
      resources: [deployment.arn({ service: 'sqs', resource: deployment.names.job(name) })],
    })),
  variables: (_, { names }) => ({ QUEUE_URL_PREFIX: names.queue_url_prefix }),
  endpoint: 'SQS_ENDPOINT',
  libraries: { '@aws-sdk/client-sqs': { bytes: 30_000, reason: 'sends messages' } },
} as const satisfies Kind;
