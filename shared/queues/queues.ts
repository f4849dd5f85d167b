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

interface Queue extends Worker {
  batch_size: number;
  /** Batches at the same time, at most. */
  concurrency: number;
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
    uses: ['table:write', 'bucket:write', 'queue:mail-import'],
  },
} as const satisfies Record<string, Queue>;

export const schedules = {
  'sweep-jobs': {
    consumer: 'sweep-jobs',
    every_minutes: 1,
    timeout: 50,
    memory: 256,
    uses: ['table:write', 'queue:mail-import'],
  },
} as const satisfies Record<string, Schedule>;

export type QueueName = keyof typeof queues;

export const queueNames = Object.keys(queues) as QueueName[];

/** Deliveries of one message before it goes to the dead-letter queue. */
export const MAX_RECEIVES = 5;
