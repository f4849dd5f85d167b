/**
 * The background work as data for CDK, the local run and the workers. A queue or schedule, the file of its worker in
 * `functions/queues/`, and the worker's function in the cloud have one name: a verb and its object. `timeout` is in
 * seconds for one batch; a message becomes visible again after six times that
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html).
 */
export interface Worker {
  timeout: number;
  /** MB */
  memory: number;
  uses: readonly string[];
}

export interface Queue extends Worker {
  batch_size: number;
  /** Concurrent batches at most. */
  concurrency: number;
  /** Seconds from each failure of a message to its next delivery, instead of the visibility timeout. */
  waits?: readonly number[];
  /** The same on one machine, where nobody waits long, whatever a server asks for. */
  local_waits?: readonly number[];
}

export interface Schedule extends Worker {
  every_minutes: number;
}

export const queues = {
  'import-mail': {
    timeout: 600,
    memory: 1_024,
    batch_size: 1,
    concurrency: 5,
    waits: [10, 60, 300, 900],
    uses: [
      'table:write',
      'bucket:read-uploads',
      'bucket:write-mail',
      'queue:import-mail',
      'queue:index-records',
      'queue:remove-records',
      'queue:run-thread-agents',
      'queue:sort-texts',
    ],
  },
  'import-records': {
    timeout: 300,
    memory: 1_024,
    batch_size: 1,
    concurrency: 5,
    waits: [10, 60, 300, 900],
    uses: [
      'table:write',
      'bucket:read-uploads',
      'queue:import-records',
      'queue:index-records',
      'queue:index-threads',
      'queue:push-notifications',
      'queue:sync-calendars',
    ],
  },
  'export-records': {
    timeout: 300,
    memory: 1_024,
    batch_size: 1,
    concurrency: 5,
    waits: [10, 60, 300, 900],
    uses: ['table:write', 'bucket:write-exports', 'bucket:read-exports', 'queue:export-records'],
  },
  'index-threads': {
    timeout: 120,
    memory: 512,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:index-threads', 'queue:push-notifications', 'queue:sort-texts'],
  },
  'sort-texts': {
    timeout: 300,
    memory: 1_024,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:sort-texts'],
  },
  'index-records': {
    timeout: 120,
    memory: 256,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:index-records'],
  },
  'remove-reactions': {
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    uses: ['table:write'],
  },
  'remove-messages': {
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    uses: ['table:write'],
  },
  'remove-records': {
    timeout: 120,
    memory: 256,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  },
  'remove-files': {
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    uses: ['table:write', 'bucket:delete-mail', 'bucket:delete-files', 'bucket:delete-avatars'],
  },
  'move-deals': {
    timeout: 120,
    memory: 256,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:move-deals', 'queue:index-records'],
  },
  'hand-over-records': {
    timeout: 300,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    uses: ['table:write', 'queue:hand-over-records', 'queue:index-records', 'queue:index-threads'],
  },
  'erase-accounts': {
    timeout: 900,
    memory: 1_024,
    batch_size: 1,
    concurrency: 2,
    waits: [60, 300, 900, 900],
    uses: ['table:scan', 'bucket:erase', 'queue:erase-accounts'],
  },
  'clean-up-tag': {
    timeout: 300,
    memory: 512,
    batch_size: 1,
    concurrency: 5,
    uses: ['table:write', 'queue:clean-up-tag', 'queue:index-threads', 'queue:index-records'],
  },
  'deliver-notifications': {
    timeout: 60,
    memory: 512,
    batch_size: 5,
    concurrency: 5,
    uses: ['table:write', 'queue:push-notifications'],
  },
  'push-notifications': {
    timeout: 120,
    memory: 256,
    batch_size: 1,
    concurrency: 5,
    waits: [15, 45, 120, 180],
    uses: ['table:write', 'queue:push-notifications', 'queue:mail-notifications', 'push'],
  },
  'send-mail': {
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 5,
    waits: [3, 15, 60, 300],
    uses: ['table:write', 'queue:send-mail', 'mail:send', 'codes', 'sign_in'],
  },
  'send-drafts': {
    // A server may take 10 minutes after the last line of a mail (RFC 5321, 4.5.3.2.6).
    timeout: 900,
    memory: 1_024,
    batch_size: 1,
    concurrency: 5,
    waits: [15, 60, 300, 900],
    local_waits: [5, 20, 50, 80],
    uses: [
      'table:write',
      'bucket:read-files',
      'codes',
      'mailboxes',
      'mail_providers',
      'queue:send-drafts',
      'queue:sync-labels',
      'queue:sync-mailboxes',
      'queue:push-notifications',
    ],
  },
  'update-billing': {
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    waits: [15, 60, 300, 900],
    uses: ['table:write', 'queue:update-billing', 'billing:call'],
  },
  'mail-notifications': {
    timeout: 60,
    memory: 256,
    batch_size: 1,
    concurrency: 2,
    waits: [15, 60, 300, 900],
    uses: ['table:write', 'queue:mail-notifications', 'mail:send', 'codes'],
  },
  'sync-labels': {
    timeout: 60,
    memory: 256,
    batch_size: 10,
    concurrency: 5,
    waits: [10, 30, 90, 270],
    uses: ['table:write', 'mailboxes', 'mail_providers', 'queue:sync-labels'],
  },
  'sync-mailboxes': {
    timeout: 900,
    memory: 1_024,
    batch_size: 1,
    concurrency: 10,
    waits: [10, 60, 300, 900],
    uses: [
      'table:write',
      'bucket:write-mail',
      'codes',
      'mailboxes',
      'mail_providers',
      'queue:sync-mailboxes',
      'queue:sync-labels',
      'queue:index-records',
      'queue:remove-records',
      'queue:run-thread-agents',
      'queue:push-notifications',
      'queue:sort-texts',
    ],
  },
  'sync-calendars': {
    timeout: 300,
    memory: 1_024,
    batch_size: 1,
    concurrency: 5,
    waits: [5, 30, 120, 600],
    uses: [
      'table:write',
      'codes',
      'calendars',
      'queue:sync-calendars',
      'queue:index-records',
      'queue:index-threads',
      'queue:remove-records',
      'queue:push-notifications',
    ],
  },
  'reply-as-assistant': {
    timeout: 120,
    memory: 512,
    batch_size: 1,
    concurrency: 5,
    waits: [5, 20, 60, 180],
    uses: [
      'table:write',
      'bucket:read-bodies',
      'bucket:read-mail',
      'queue:reply-as-assistant',
      'assistant',
      'queue:push-notifications',
    ],
  },
  'run-thread-agents': {
    timeout: 600,
    memory: 512,
    batch_size: 1,
    concurrency: 2,
    waits: [30, 120, 300, 600],
    uses: [
      'table:write',
      'bucket:read-bodies',
      'queue:run-thread-agents',
      'assistant',
      'queue:push-notifications',
    ],
  },
} as const satisfies Record<string, Queue>;

export type QueueName = keyof typeof queues;

export const queueNames = Object.keys(queues) as QueueName[];

export const schedules = {
  'do-due-work': {
    every_minutes: 1,
    timeout: 50,
    memory: 256,
    uses: [
      'table:write',
      'queue:remove-records',
      'queue:index-threads',
      'queue:push-notifications',
      'queue:mail-notifications',
      'queue:sync-calendars',
      'queue:sync-mailboxes',
      'queue:send-drafts',
      'queue:reply-as-assistant',
      'queue:erase-accounts',
    ],
  },
  'ping-sockets': {
    // API Gateway closes sockets that are idle for ten minutes.
    every_minutes: 5,
    timeout: 240,
    memory: 256,
    uses: ['table:write', 'live:send'],
  },
  'sweep-jobs': {
    every_minutes: 1,
    timeout: 50,
    memory: 256,
    // It sends the jobs of all queues.
    uses: ['table:write', ...queueNames.map((name) => `queue:${name}` as const)],
  },
} as const satisfies Record<string, Schedule>;

/** What of the table's stream a worker gets: items whose keys begin with one of each, or whose removal alone matters. */
export interface StreamFilter {
  partitions: readonly string[];
  sorts?: readonly string[];
  removals?: true;
}

export interface Stream extends Worker {
  /** Changes in one batch at most. */
  batch_size: number;
  /** Seconds that changes are collected for one batch. */
  window: number;
  /** Seconds after which changes are not worth telling. */
  lasting: number;
  /** Lambda takes five: https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html */
  filters: readonly StreamFilter[];
}

/** Workers of the table's stream. What they fail for too long is dropped. */
export const streams = {
  'publish-changes': {
    timeout: 60,
    memory: 512,
    batch_size: 500,
    window: 1,
    lasting: 120,
    filters: [
      {
        partitions: ['USER#', 'RECORD#', 'ACCOUNT#'],
        sorts: ['THREAD#', 'DRAFT#', 'SENTDRAFT#', 'UNDERWAY#', 'COMMENT#', 'USER#', 'MAILBOX#'],
      },
      { partitions: ['RECORD#threads#', 'ACCOUNT#', 'PROPOSAL#'], sorts: ['META'] },
      { partitions: ['NOTIFICATIONS#', 'CONVERSATION#', 'SESSIONS#'] },
      // A credential counts requests: it changes with every one.
      { partitions: ['KEY#'], removals: true },
    ],
    uses: ['table:write', 'live:send'],
  },
} as const satisfies Record<string, Stream>;

export interface SocketEvent extends Worker {
  /** As API Gateway names it. */
  route: '$connect' | '$disconnect' | '$default';
}

/** The functions that API Gateway calls for sockets: `functions/sockets/<name>.ts`. */
export const socketEvents = {
  connect: { route: '$connect', timeout: 10, memory: 256, uses: ['table:write'] },
  disconnect: { route: '$disconnect', timeout: 10, memory: 256, uses: ['table:write'] },
  default: { route: '$default', timeout: 10, memory: 256, uses: [] },
} as const satisfies Record<string, SocketEvent>;

/** Deliveries of one message before it goes to the dead-letter queue. */
export const MAX_RECEIVES = 5;
