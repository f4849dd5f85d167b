/**
 * The background work, as data read by CDK, by the local run and by the workers. `timeout` is in seconds for one
 * batch; a message becomes visible again after six times that
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html).
 */
interface Worker {
  /** Its file in `functions/queues/`. */
  consumer: string;
  timeout: number;
  /** MB */
  memory: number;
  uses: readonly string[];
}

export interface Queue extends Worker {
  batch_size: number;
  /** Batches at the same time, at most. */
  concurrency: number;
  /** Seconds from each failure of a message to its next delivery, instead of the time above. */
  waits?: readonly number[];
}

interface Schedule extends Worker {
  every_minutes: number;
}

export const queues = {
  'mail-import': {
    consumer: 'import-mail',
    timeout: 600,
    memory: 1_024,
    batch_size: 1,
    concurrency: 5,
    waits: [10, 60, 300, 900],
    uses: ['table:write', 'bucket:write', 'queue:mail-import', 'queue:thread-agents'],
  },
  'thread-index': {
    consumer: 'index-threads',
    timeout: 120,
    memory: 512,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:thread-index'],
  },
  'reaction-removal': {
    consumer: 'remove-reactions',
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    uses: ['table:write'],
  },
  'message-removal': {
    consumer: 'remove-messages',
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    uses: ['table:write'],
  },
  'tag-clean-up': {
    consumer: 'clean-up-tag',
    timeout: 300,
    memory: 512,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:tag-clean-up', 'queue:thread-index'],
  },
  notifications: {
    consumer: 'deliver-notifications',
    timeout: 60,
    memory: 512,
    batch_size: 5,
    concurrency: 5,
    uses: ['table:write'],
  },
  'label-sync': {
    consumer: 'sync-labels',
    timeout: 60,
    memory: 256,
    batch_size: 10,
    concurrency: 5,
    waits: [10, 30, 90, 270],
    uses: ['table:write', 'queue:label-sync'],
  },
  'assistant-reply': {
    consumer: 'reply-as-assistant',
    timeout: 120,
    memory: 512,
    batch_size: 1,
    concurrency: 5,
    waits: [5, 20, 60, 180],
    uses: ['table:write', 'bucket:read', 'queue:assistant-reply', 'assistant'],
  },
  'thread-agents': {
    consumer: 'run-thread-agents',
    timeout: 600,
    memory: 512,
    batch_size: 1,
    concurrency: 2,
    waits: [30, 120, 300, 600],
    uses: ['table:write', 'bucket:read', 'queue:thread-agents', 'assistant'],
  },
} as const satisfies Record<string, Queue>;

export const schedules = {
  'sweep-jobs': {
    consumer: 'sweep-jobs',
    every_minutes: 1,
    timeout: 50,
    memory: 256,
    // It sends what any job promised.
    uses: ['table:write', ...Object.keys(queues).map((name) => `queue:${name}`)],
  },
} as const satisfies Record<string, Schedule>;

export type QueueName = keyof typeof queues;

export const queueNames = Object.keys(queues) as QueueName[];

/** Deliveries of one message before it goes to the dead-letter queue. */
export const MAX_RECEIVES = 5;
