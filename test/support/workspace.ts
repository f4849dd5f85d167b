import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type Client, createClient } from '#shared/api/client.ts';
import { readConfig } from '#shared/config.ts';
import type { Context } from '#shared/context.ts';
import { setServices } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { families, operations } from '../../functions/catalogue.ts';
import { startBucket } from '../../infra/local/bucket.ts';
import { startGateway } from '../../infra/local/gateway.ts';
import { startQueues } from '../../infra/local/queues.ts';
import type { SeededUser, SeedUser } from '../../infra/local/seed.ts';
import { startWorkers } from '../../infra/local/stack.ts';
import { dropJobs } from './jobs.ts';
import { type Live, startLive } from './live.ts';
import { type AllPorts, allPorts } from './ports.ts';
import { seedAtOnce } from './seeding.ts';
import { ownTable, sharedTable, tableClient } from './table.ts';

/** A running API on real local parts, with two accounts: tests run the deployed handlers. */

export type ApiClient = Client<typeof families>;

export interface TestUser extends SeededUser {
  /** The client with the user's read_write key. */
  api: ApiClient;
  /** The client with the user's read key. */
  reader: ApiClient;
  /** The client with the user's session token. */
  session: ApiClient;
}

export interface Workspace {
  url: string;
  table: Table;
  /** `now` is the service's clock, read for each request. */
  ctx: Context<AllPorts>;
  account_id: string;
  ada: TestUser;
  grace: TestUser;
  linus: TestUser;
  /** The only user of another account. */
  hank: TestUser;
  /** With `live`: the sockets, and what tells them of changes. */
  live: Live | undefined;
  /** The folder of the mails that the service sends. */
  outbox: string;
  /** Moves the service's clock; undefined resets it to real time. */
  setTime(time: Date | undefined): void;
  client(key?: string): ApiClient;
  stop(): Promise<void>;
}

const acme: SeedUser[] = [
  { name: 'Ada Lovelace', email_address: 'ada@acme.example', role: 'owner', time_zone: 'Europe/London' },
  {
    name: 'Grace Hopper',
    email_address: 'grace@acme.example',
    role: 'member',
    time_zone: 'America/New_York',
  },
  { name: 'Linus Pauling', email_address: 'linus@acme.example', role: 'member', time_zone: 'Asia/Tokyo' },
];
const globex: SeedUser[] = [{ name: 'Hank Scorpio', email_address: 'hank@globex.example', role: 'owner' }];

interface Part {
  env: Record<string, string>;
  stop(): Promise<void>;
}

async function startFiles(): Promise<Part> {
  const folder = await mkdtemp(join(tmpdir(), 'workspace-test-'));
  const bucket = await startBucket(folder);
  return {
    env: { BUCKET_NAME: 'test', S3_ENDPOINT: bucket.endpoint },
    stop: async () => {
      await bucket.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Queues and workers, for tests of what happens in the background. */
async function startBackground(): Promise<Part> {
  const sqs = await startQueues();
  // The queues end with their workers: no poll that is left behind takes a message.
  const workers = await startWorkers(sqs.endpoint, sqs.urls, { impatient: true, poll_seconds: 5 });
  return {
    env: { SQS_ENDPOINT: sqs.endpoint, QUEUE_URL_PREFIX: sqs.url_prefix },
    stop: async () => {
      await Promise.all(workers.map((worker) => worker.stop(1_000)));
      await sqs.stop();
    },
  };
}

function startParts({ files, mail }: WorkspaceOptions): Promise<Part[]> {
  return Promise.all([...(files || mail ? [startFiles()] : []), ...(mail ? [startBackground()] : [])]);
}

interface WorkspaceOptions {
  /** Starts the bucket, which `importMail` needs. */
  files?: boolean;
  /** Starts the bucket, the queues and their workers: a third of a second for each file. */
  mail?: boolean;
  /** Sockets, and a table of its own with a stream. */
  live?: boolean;
  /** A table of its own, for tests that read or count all items or jobs. */
  own_table?: boolean;
}

export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const endpoint = inject('dynamodb_endpoint');
  const parts = await startParts(options);
  const name = await (options.own_table || options.live ? ownTable() : sharedTable());
  const live = options.live ? await startLive(endpoint, name) : undefined;
  if (live) parts.push(live);
  const client = tableClient();
  const table = new Table(name, client);
  await dropJobs(table);
  let time: Date | undefined;
  const outbox = join(tmpdir(), `outbox-${randomUUID()}`);
  const config = readConfig({
    MAIL_FROM: 'Workspace <no-reply@workspace.example>',
    MAIL_OUTBOX: outbox,
    APP_URL: 'https://app.acme.example',
    API_URL: 'https://api.acme.example/v1',
    TABLE_NAME: name,
    CURSOR_KEYS: 'test-key',
    MAILBOX_KEYS: 'test-mailbox-key',
    // All tests come from one address.
    SIGN_IN_REQUESTS_PER_HOUR: '100000',
    SIGN_UP: 'open',
    DYNAMODB_ENDPOINT: endpoint,
    ...Object.assign({}, ...parts.map(({ env }) => env)),
  });
  const ctx = {
    config,
    table,
    ports: allPorts,
    clock: () => time ?? new Date(),
    get now() {
      return this.clock();
    },
  };
  setServices(ctx);
  const gateway = await startGateway(operations, 0, live ? { sockets: live.server } : {});
  const api = (key?: string) => createClient(families, { base_url: gateway.url, ...(key ? { key } : {}) });
  const withClients = (user: SeededUser | undefined): TestUser => ({
    ...(user as SeededUser),
    api: api(user?.write_key),
    reader: api(user?.read_key),
    session: api(user?.session_token),
  });
  const [first, second] = await Promise.all([
    seedAtOnce(table, 'Acme', acme),
    seedAtOnce(table, 'Globex', globex),
  ]);
  return {
    url: gateway.url,
    table,
    ctx,
    account_id: first.account_id,
    ada: withClients(first.users[0]),
    grace: withClients(first.users[1]),
    linus: withClients(first.users[2]),
    hank: withClients(second.users[0]),
    live,
    outbox,
    setTime: (next) => {
      time = next;
    },
    client: api,
    stop: async () => {
      await gateway.close();
      await Promise.all(parts.map((part) => part.stop()));
      await rm(outbox, { recursive: true, force: true });
      client.destroy();
      setServices(undefined);
    },
  };
}
