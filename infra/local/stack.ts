import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Operation } from '#shared/api/catalogue.ts';
import { readConfig } from '#shared/config.ts';
import { contextOf } from '#shared/context.ts';
import { sweepJobs } from '#shared/domain/platform/jobs/job.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { queueNames, schedules, streams } from '#shared/queues/queues.ts';
import { clientOptions, type Services, setServices } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import type { Kinds } from '#shared/uses/kind.ts';
import { kinds } from '#shared/uses/kinds.ts';
import { collectAssets } from '../assets.ts';
import { prepareData } from '../migrations/prepare.ts';
import { startBucket } from './bucket.ts';
import { createTable, startDynamoDb, streamOf } from './dynamodb.ts';
import { type LocalGateway, startGateway } from './gateway.ts';
import { localMail } from './mail.ts';
import { localPushKeys } from './push-keys.ts';
import { type Consumer, startQueues, startWorker, type WorkerOptions } from './queues.ts';

import { SOCKET_PATH, startSockets } from './sockets.ts';
import { followStream, type StreamWorker } from './table-stream.ts';

/** The other deployment target: the same catalogue, handlers and consumers, on one machine. */

export interface StackOptions {
  /** Contains bucket, assets and keys, and the table unless `in_memory`. */
  folder: string;
  in_memory: boolean;
  /** On which everything listens; 127.0.0.1 by default. */
  host?: string;
  /** Of the API, and of the parts; 0 takes a free one, the default of the parts. */
  port: number;
  database_port?: number;
  bucket_port?: number;
  queue_port?: number;
  operations: Operation[];
  /** Takes a line for each request. */
  log?: ((line: string) => void) | undefined;
  /** Called with the database's process as soon as it exists. */
  spawned?: (pid: number) => void;
  /** Called before anything works on the data: queues, schedules and requests. */
  prepared?: (services: Services) => Promise<void>;
  /** Called when that process ends unexpectedly. */
  lost?: (error: Error) => void;
}

export interface Stack {
  url: string;
  services: Services;
  /** The environment of the functions. */
  variables: Record<string, string>;
  /** Gives requests more time than the cloud does, while the work runs. */
  withTimeout: LocalGateway['withTimeout'];
  /** Stops every part; current work has `STOP_GRACE` to finish. */
  stop(): Promise<void>;
}

const TABLE = 'workspace';
/** Milliseconds. */
const STOP_GRACE = 1_500;
/**
 * Seconds that a queue is waited for, the most that SQS allows
 * (https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_ReceiveMessage.html).
 */
const LONGEST_POLL = 20;

/** Keeps valid across restarts what it signs or seals. Only the user may read it. */
async function keyIn(folder: string, name: string): Promise<string> {
  const file = join(folder, name);
  if (!existsSync(file)) await writeFile(file, randomBytes(32).toString('hex'), { mode: 0o600 });
  return readFile(file, 'utf8');
}

/** The variables of what may run elsewhere, such as a language model. */
export function localVariables(env: NodeJS.ProcessEnv, known: Kinds = kinds): Record<string, string> {
  const names = Object.values(known).flatMap(({ local = [] }) => local);
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}

async function workerOf(name: string): Promise<unknown> {
  return (await import(`../../functions/queues/${name}.ts`)).handler;
}

export async function startWorkers(endpoint: string, urls: Record<string, string>, options?: WorkerOptions) {
  return Promise.all(
    queueNames.map(async (name) => {
      const consume = (await workerOf(name)) as Consumer;
      return startWorker(endpoint, name, urls[name] as string, consume, options);
    }),
  );
}

/** Runs scheduled functions as EventBridge does. */
async function startSchedules(): Promise<() => void> {
  const timers: NodeJS.Timeout[] = [];
  for (const [name, schedule] of Object.entries(schedules)) {
    const run = (await workerOf(name)) as () => Promise<void>;
    const tick = () =>
      run().catch((error: unknown) =>
        getLogger().error('schedule failed', { schedule: name, error: describeError(error) }),
      );
    timers.push(setInterval(tick, schedule.every_minutes * 60_000));
  }
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

/** Runs the workers of the table's stream. Returns what stops them. */
async function startStreamWorkers(endpoint: string, stream: string): Promise<(() => Promise<void>)[]> {
  return Promise.all(
    Object.entries(streams).map(async ([name, settings]) => {
      const work = (await workerOf(name)) as StreamWorker;
      return followStream(endpoint, stream, { name, settings, work });
    }),
  );
}

export async function startStack(options: StackOptions): Promise<Stack> {
  const { folder, in_memory, operations, host = '127.0.0.1' } = options;
  const at = (port = 0) => ({ host, port });
  const stops: (() => Promise<void> | void)[] = [];
  const stop = async () => {
    // Last started, first stopped.
    for (const each of stops.reverse()) await each();
    setServices(undefined);
  };
  try {
    await mkdir(folder, { recursive: true });
    const assets = join(folder, 'assets');
    const tables = in_memory ? undefined : join(folder, 'table');
    const first_use = !tables || !existsSync(tables);
    const [database, bucket, sqs, sockets, key, mailbox_key, push_keys] = await Promise.all([
      startDynamoDb(tables, at(options.database_port), { ...options, first_use }),
      startBucket(join(folder, 'bucket'), at(options.bucket_port)),
      startQueues(at(options.queue_port)),
      startSockets(),
      keyIn(folder, 'cursor-key'),
      keyIn(folder, 'mailbox-key'),
      localPushKeys(folder),
      collectAssets(assets, operations),
    ]);
    stops.push(
      () => database.stop(),
      () => bucket.stop(),
      () => sqs.stop(),
      () => sockets.stop(),
    );
    await createTable(database.endpoint, TABLE);
    const variables: Record<string, string> = {
      STAGE: 'local',
      TABLE_NAME: TABLE,
      BUCKET_NAME: 'workspace',
      CURSOR_KEYS: key,
      MAILBOX_KEYS: mailbox_key,
      CORS_ORIGINS: '*',
      ASSETS_DIR: assets,
      APP_PAGE: 'on',
      DYNAMODB_ENDPOINT: database.endpoint,
      S3_ENDPOINT: bucket.endpoint,
      SQS_ENDPOINT: sqs.endpoint,
      SOCKETS_ENDPOINT: sockets.endpoint,
      QUEUE_URL_PREFIX: sqs.url_prefix,
      PUSH_CREDENTIALS: push_keys,
      ...localMail(folder, process.env),
      SIGN_UP: 'open',
      ...(process.env.TERMS ? { TERMS: process.env.TERMS } : {}),
      ...localVariables(process.env),
    };
    const config = readConfig(variables);
    const client = new DynamoDBClient(clientOptions(database.endpoint));
    const services: Services = { config, table: new Table(TABLE, client), clock: () => new Date() };
    setServices(services);
    stops.push(() => client.destroy());
    await prepareData(services.table);
    await options.prepared?.(services);
    const workers = await startWorkers(sqs.endpoint, sqs.urls, { poll_seconds: LONGEST_POLL });
    stops.push(async () => {
      await Promise.all(workers.map((worker) => worker.stop(STOP_GRACE)));
    });
    stops.push(await startSchedules());
    const stream = await streamOf(database.endpoint, TABLE);
    stops.push(...(await startStreamWorkers(database.endpoint, stream)));
    // After a restart the queues are empty, and the workers of the earlier run are gone.
    await sweepJobs(contextOf(services, {}), { orphaned: true });
    const gateway: LocalGateway = await startGateway(operations, options.port, {
      host,
      log: options.log,
      sockets,
    });
    stops.push(() => gateway.close());
    const { url, withTimeout } = gateway;
    // Known only now, when any port was wanted.
    config.addresses.api ??= url;
    variables.SOCKET_URL = `${url.replace(/^http/, 'ws')}${SOCKET_PATH}`;
    return { url, services, variables, withTimeout, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
