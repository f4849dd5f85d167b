import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createClient } from '#shared/api/client.ts';
import { newId } from '#shared/ids.ts';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { families } from '../../functions/catalogue.ts';
import type { DemoFile } from '../../infra/local/demo/fill.ts';
import { copyKeptDemo } from '../../infra/local/demo/with-demo.ts';
import { seedAccount } from '../../infra/local/seed.ts';
import { type ImportCounts, importArchive } from '../../infra/scripts/import-archive.ts';
import { toMbox } from '../../infra/scripts/mbox-writer.ts';
import { eml } from '../support/mail.ts';
import { startModelServer } from '../support/model-server.ts';
import { databaseOf, isAlive, readDemo, Started, temporaryFolder, testFolder } from './started.ts';

const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const user = (name: string, role: string, time_zone: string, mailboxes: number, imports = mailboxes) => ({
  id,
  name,
  email_address: expect.stringMatching(/^\w+@(acme|globex)\.example$/),
  role,
  time_zone,
  read_key: expect.stringMatching(/^wsk_live_\w+$/),
  write_key: expect.stringMatching(/^wsk_live_\w+$/),
  session_token: expect.stringMatching(/^wsk_session_\w+$/),
  mailbox_ids: Array(mailboxes).fill(id),
  import_ids: Array(imports).fill(id),
});

const owner = { name: 'Ada Lovelace', email_address: 'ada@acme.example', role: 'owner' } as const;

const ada = (demo: DemoFile) => demo.accounts[0]?.users[0] as DemoFile['accounts'][0]['users'][0];

/** The subjects that Ada sees on her first page, by one of the keys of the file. */
async function subjects(folder: string, key: 'read_key' | 'write_key' | 'session_token' = 'read_key') {
  const demo = readDemo(folder);
  const api = createClient(families, { base_url: demo.base_url, key: ada(demo)[key] });
  const { body } = await api.listThreads({});
  return body.collection.records.map((thread) => thread.subject);
}

describe('npm start, kept data', () => {
  let folder: string;
  let started: Started;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ path: folder, remove } = await temporaryFolder());
    await copyKeptDemo(folder);
    started = await Started.ready(['--port', '0', '--data', folder]);
  });
  afterAll(async () => {
    await started?.stop();
    await remove();
  });

  it('prints ready and the address last', () => {
    expect(started.lines.at(-1)).toBe(`ready ${readDemo(folder).base_url}`);
    expect(started.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(started.complaints).toBe('');
  });

  it('puts mail into the outbox that it names', async () => {
    const outbox = join(folder, 'outbox');
    expect(started.lines).toContain(`Mail that the service sends is in ${outbox}`);
    const body = { email_address: 'ada@acme.example' };
    await createClient(families, { base_url: started.url }).createOneTimeCode({ body });
    const mail = () => existsSync(outbox) && readdirSync(outbox).find((each) => each.endsWith('.eml'));
    const name = await vi.waitUntil(mail, { timeout: 20_000, interval: 50 });
    expect(readFileSync(join(outbox, name), 'utf8')).toMatch(/^\d{6}\r?$/m);
  });

  it('describes the demo in demo.json, and only that', () => {
    expect(readDemo(folder)).toStrictEqual({
      base_url: started.url,
      accounts: [
        {
          id,
          name: 'Acme',
          users: [
            user('Ada Lovelace', 'owner', 'Europe/London', 1, 2),
            user('Grace Hopper', 'member', 'America/New_York', 1),
            user('Linus Pauling', 'member', 'Asia/Tokyo', 1, 0),
          ],
        },
        {
          id,
          name: 'Globex',
          users: [
            user('Hank Scorpio', 'owner', 'America/Los_Angeles', 1),
            user('Mindy Simmons', 'member', 'America/Los_Angeles', 0),
          ],
        },
      ],
    });
  });

  it('refuses a port that is taken', async () => {
    const port = new URL(started.url).port;
    const second = new Started(['--port', port, '--data', await testFolder()]);
    expect(await second.end()).toBe(1);
    expect(second.output).toBe('');
    expect(second.complaints).toBe(
      `Port ${port} is taken. Stop what listens there, or choose another with: npm start -- --port <n>\n`,
    );
  });

  it('refuses a data folder that is in use, and leaves it alone', async () => {
    const second = new Started(['--port', '0', '--data', folder]);
    expect(await second.end()).toBe(1);
    expect(second.output).toBe('');
    expect(second.complaints).toBe(
      `The data in ${folder} is in use by process ${started.process.pid}. Stop it first, or choose another folder with --data.\n`,
    );
    expect(isAlive(databaseOf(folder))).toBe(true);
  });

  it('stops within five seconds, and starts again with the same threads and keys', async () => {
    const before = { accounts: readDemo(folder).accounts, threads: await subjects(folder) };
    const database = databaseOf(folder);
    const begin = Date.now();
    expect(await started.stop()).toBe(0);
    expect(Date.now() - begin).toBeLessThan(5_000);
    expect(isAlive(database)).toBe(false);
    expect(readdirSync(folder)).not.toContain('run.json');

    started = await Started.ready(['--port', '0', '--data', folder]);
    expect({ accounts: readDemo(folder).accounts, threads: await subjects(folder) }).toEqual(before);
    expect(readDemo(folder).base_url).toBe(started.url);
    expect(await subjects(folder, 'write_key')).toEqual(before.threads);
    expect(await subjects(folder, 'session_token')).toEqual(before.threads);
    expect(started.output).not.toContain('Filling');
  });

  it('finishes an import after it was killed in the middle', { timeout: 150_000 }, async () => {
    const demo = readDemo(folder);
    const target = {
      base_url: demo.base_url,
      key: ada(demo).write_key,
      mailbox_id: ada(demo).mailbox_ids[0] as string,
    };
    const mail = Array.from({ length: 400 }, (_, i) => eml({ id: `small-${i}`, subject: `Small ${i}` }));
    const archive = { file_name: 'small.mbox', content_type: 'application/mbox', bytes: toMbox(mail) };
    const database = databaseOf(folder);
    let seen: ImportCounts | undefined;
    const cutOff = importArchive(target, archive, (counts) => {
      if (seen || counts.messages_imported === 0) return;
      seen = counts;
      started.process.kill('SIGKILL');
    });
    await expect(cutOff).rejects.toThrow();
    await started.end();
    expect(seen?.messages_imported).toBeLessThan(400);

    started = await Started.ready(['--port', '0', '--data', folder]);
    expect(isAlive(database)).toBe(false);
    const api = createClient(families, { ...target, base_url: started.url });
    const params = { mailbox_id: target.mailbox_id, id: seen?.id as string };
    const counts = await vi.waitUntil(
      async () => {
        const { body } = await api.retrieveMailImport({ params });
        return body.import.status === 'complete' && body.import;
      },
      { timeout: 90_000, interval: 300 },
    );
    expect(counts).toMatchObject({ messages_total: 400, messages_failed: 0 });
    expect(counts.messages_imported + counts.messages_skipped).toBe(400);
  });
});

describe('npm start, a reply that was cut off', () => {
  it('is finished by the next run, after a kill and after Ctrl-C', async () => {
    const model = await startModelServer();
    onTestFinished(() => model.stop());
    const folder = await testFolder();
    const DYNAMODB_ENDPOINT = inject('dynamodb_endpoint');
    const env = { ...model.env('openai'), DYNAMODB_ENDPOINT };
    const start = () => Started.ready(['--port', '0', '--data', folder, '--no-demo'], env);
    let run = await start();
    onTestFinished(async () => {
      await run.stop();
    });
    const database = new DynamoDBClient(clientOptions(DYNAMODB_ENDPOINT));
    onTestFinished(() => database.destroy());
    const { users } = await seedAccount(new Table('workspace', database), 'Acme', [owner], new Date());
    const api = () => createClient(families, { base_url: run.url, key: users[0]?.session_token as string });
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      model.script.push({ text: 'Half an ans', breaks: 'hangs' }, { text: 'The whole answer.' });
      const asked = model.requests.length;
      const { body } = await api().createConversation({ body: { conversation: {} } });
      const params = { conversation_id: body.conversation.id };
      await api().createMessage({ params, body: { message: { text: 'What did we promise?' } } });
      await vi.waitUntil(() => model.requests.length > asked, { timeout: 20_000 });
      await run.stop(signal);

      run = await start();
      const response = await vi.waitUntil(
        async () => {
          const { messages } = (await api().listMessages({ params })).body;
          const reply = messages.at(-1);
          return reply?.status !== 'pending' && reply;
        },
        { timeout: 30_000, interval: 200 },
      );
      expect(response).toMatchObject({ status: 'complete', text: 'The whole answer.' });
      expect(model.requests).toHaveLength(asked + 2);
    }
  });
});

describe('npm start, without its database', () => {
  it('says so in one line and ends', async () => {
    const folder = await testFolder();
    const started = await Started.ready(['--port', '0', '--data', folder, '--no-demo']);
    process.kill(databaseOf(folder), 'SIGKILL');
    expect(await started.end()).toBe(1);
    expect(started.complaints).toBe(
      'The database (DynamoDB Local) ended by SIGKILL: nothing works without it. Start again with npm start; the data is kept.\n',
    );
    expect(readdirSync(folder)).not.toContain('run.json');
  });

  it('does so while the demo is made', async () => {
    const folder = await testFolder();
    const started = new Started(['--port', '0', '--data', folder]);
    await started.until(/^Filling/m);
    process.kill(databaseOf(folder), 'SIGKILL');
    expect(await started.end()).toBe(1);
    expect(started.complaints).toMatch(/^The database \(DynamoDB Local\) ended by SIGKILL: .*\n$/);
    expect(started.output).not.toMatch(/^ready/m);
  });
});

describe('npm start, other ways', () => {
  it('--help names every option and starts nothing', async () => {
    const started = new Started(['--help']);
    expect(await started.end()).toBe(0);
    const added = ['--host', '--database-port', '--bucket-port', '--queue-port', '--watch'];
    for (const option of ['--port', '--data', '--in-memory', '--no-demo', '--verbose', '--help', ...added])
      expect(started.output).toContain(option);
  });

  it.each([
    [['--port', 'x'], '--port must be a number from 0 to 65535, not "x"\n'],
    [['--prot', '1'], /^Unknown option '--prot'.*\n$/],
  ])('%j is one clear line', async (options, line) => {
    const started = new Started(options);
    expect(await started.end()).toBe(1);
    expect(started.complaints).toMatch(line);
  });

  it.each([
    [{ ASSISTANT_PROVIDER: 'gpt' }, /^ASSISTANT_PROVIDER must be one of .*, not "gpt".\n$/],
    [{ ASSISTANT_PROVIDER: 'bedrock' }, /^ASSISTANT_PROVIDER bedrock needs ASSISTANT_MODEL.*\n$/],
  ])('%j, an impossible assistant, is one clear line', async (env, line) => {
    const started = new Started(['--port', '0'], env);
    expect(await started.end()).toBe(1);
    expect(started.output).toBe('');
    expect(started.complaints).toMatch(line);
  });

  const waysOut =
    /^DynamoDB Local needs Java 17 or newer, .*\n +1\. install a Java .*\n +2\. set DYNAMODB_ENDPOINT .*\n +3\. .*docker run .*\n$/;

  it('without Java names three ways out', async () => {
    const data = await testFolder();
    const started = new Started(['--port', '0', '--data', data], { PATH: await testFolder() });
    expect(await started.end()).toBe(1);
    expect(started.complaints).toMatch(waysOut);
    expect(readdirSync(data)).not.toContain('run.json');
  });

  it('with a Java that is too old names them as well', async () => {
    const bin = await testFolder();
    const java = join(bin, 'java');
    writeFileSync(java, '#!/bin/sh\necho java.lang.UnsupportedClassVersionError: too recent >&2\nexit 1\n');
    chmodSync(java, 0o755);
    const started = new Started(['--port', '0', '--data', await testFolder()], { PATH: `${bin}:/bin` });
    expect(await started.end()).toBe(1);
    expect(started.complaints).toMatch(waysOut);
  });

  it('stops while it starts, and leaves no database behind', async () => {
    const folder = await testFolder();
    const started = new Started(['--port', '0', '--data', folder, '--no-demo']);
    const database = await vi.waitUntil(
      () => readdirSync(folder).includes('run.json') && databaseOf(folder),
      { timeout: 10_000, interval: 10 },
    );
    expect(await started.stop()).toBe(0);
    await vi.waitUntil(() => !isAlive(database), { timeout: 2_000 });
    expect(readdirSync(folder)).not.toContain('demo.json');
  });

  it('--no-demo writes no demo.json; npm start stops when npm does', async () => {
    const folder = await testFolder();
    const options = ['--port', '0', '--data', folder, '--no-demo'];
    const started = new Started(options, {}, ['npm', 'start', '--']);
    await started.until(/^ready /m);
    const response = await fetch(`${started.url}/threads`);
    expect(response.status).toBe(401);
    const database = databaseOf(folder);
    // `end` comes when every process that holds its output has ended.
    await started.stop();
    expect(isAlive(database)).toBe(false);
    expect(readdirSync(folder).sort()).toEqual([
      'assets',
      'bucket',
      'cursor-key',
      'mailbox-key',
      'push-keys.json',
      'table',
    ]);
  });

  it('--in-memory fills a demo of its own, and leaves nothing but the demo.json that was there', async () => {
    const [folder, scratch] = [await testFolder(), await testFolder()];
    const before = JSON.stringify({
      base_url: '',
      accounts: [{ id: newId(new Date()), name: 'Gone', users: [] }],
    });
    writeFileSync(join(folder, 'demo.json'), before);
    const options = ['--port', '0', '--data', folder, '--in-memory'];
    const started = await Started.ready(options, { TMPDIR: scratch });
    expect(readDemo(folder).base_url).toBe(started.url);
    expect((await subjects(folder)).length).toBeGreaterThan(0);
    expect(await started.stop()).toBe(0);
    expect(readdirSync(folder)).toEqual(['demo.json']);
    expect(readFileSync(join(folder, 'demo.json'), 'utf8')).toBe(before);
    expect(readdirSync(scratch).filter((name) => name.startsWith('workspace-'))).toEqual([]);
  });
});
