import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createClient } from '#shared/api/client.ts';
import { contextOf } from '#shared/context.ts';
import { mailSyncJob } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { families, operations } from '../../../functions/catalogue.ts';
import { seedAccount } from '../../../infra/local/seed.ts';
import { type Stack, startStack } from '../../../infra/local/stack.ts';
import { openJobs } from '../../support/jobs.ts';
import { measureTable } from '../../support/meter.ts';
import type { Line, Run, Size } from './line.ts';

/** `measure.ts <messages> <bytes of each>`, a process of its own: what others did before is not in its memory. */

/** Milliseconds between two looks at memory, and how many of them there are for one at jobs. */
const LOOK = 25;
const LOOKS = 20;

type Place = Pick<Mailbox, 'account_id' | 'id'>;

/** Asks the server's process. */
async function ask(server: ChildProcess): Promise<number> {
  const answer = once(server, 'message');
  server.send('count');
  const [{ commands }] = (await answer) as [{ commands: number }];
  return commands;
}

/** An account with one user; connects her mailbox, which begins to read it. */
async function connecting({ services, url }: Stack, port: number): Promise<() => Promise<Place>> {
  const { table, config, clock } = services;
  config.mail_private_hosts = true;
  const email_address = 'ada@acme.example';
  const ada = { name: 'Ada Lovelace', email_address, role: 'owner', time_zone: 'Europe/London' } as const;
  const { account_id, users } = await seedAccount(table, 'Acme', [ada], clock());
  const api = createClient(families, { base_url: url, key: `${users[0]?.session_token}` });
  const imap = { host: '127.0.0.1', port, tls: false, username: 'ada', password: 'right password' };
  return async () => {
    const { body } = await api.createMailbox({
      body: { mailbox: { provider: 'imap', email_address, imap } },
    });
    return { account_id, id: body.mailbox.id };
  };
}

/** A stack with a mail server. `look` has a client of its own: polling is not measured. */
interface Parts {
  stack: Stack;
  look: Table;
  server: ChildProcess;
}

/** From the beginning until no job is left. */
async function read({ stack, look, server }: Parts, begin: () => Promise<unknown>): Promise<Run> {
  await ask(server);
  const before = process.memoryUsage().rss;
  const start = performance.now();
  let peak = before;
  const cost = await measureTable(
    stack.services.table,
    async () => {
      await begin();
      while ((await openJobs(look, 'sync-mailboxes')).length > 0)
        for (let i = 0; i < LOOKS; i++) {
          peak = Math.max(peak, process.memoryUsage().rss);
          await setTimeout(LOOK);
        }
    },
    0,
  );
  const seconds = (performance.now() - start) / 1_000;
  return { seconds, cost, memory: peak - before, commands: await ask(server) };
}

async function measure(size: Size): Promise<Line> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-mail-'));
  const served = join(import.meta.dirname, 'served.ts');
  const server = fork(served, [String(size.messages), String(size.bytes)]);
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const stack = await startStack({ folder, in_memory: true, port: 0, operations });
  const { services } = stack;
  const dynamodb = new DynamoDBClient(clientOptions(services.config.dynamodb_endpoint));
  try {
    const parts = { stack, server, look: new Table(services.table.name, dynamodb) };
    const connect = await connecting(stack, port);
    let place: Place | undefined;
    const first = await read(parts, async () => {
      place = await connect();
    });
    const again = await read(parts, async () => {
      const ctx = contextOf(services, {});
      await commit(ctx, { writes: [], jobs: [mailSyncJob(place as Place, ctx.now)] });
    });
    return { size, first, again };
  } finally {
    dynamodb.destroy();
    await stack.stop();
    server.disconnect();
    await rm(folder, { recursive: true, force: true });
  }
}

const [messages = 0, bytes = 0] = process.argv.slice(2).map(Number);
const line = await measure({ messages, bytes });
process.send?.(line, () => process.disconnect());
