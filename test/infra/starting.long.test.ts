import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { freePort } from '../../infra/local/place.ts';
import { findRun } from '../../infra/local/run-file.ts';
import { environmentOf, type Template, variablesInContainers } from '../../infra/scripts/sam/environment.ts';
import { databaseOf, isAlive, root, Started, temporaryFolder, testFolder } from './started.ts';
import { synthesize } from './synthesized.ts';

/** `npm start` as newcomers and contributors type it, with `npm run admin` beside it. */

async function npmRunAdmin(args: string[], stdin = '') {
  const child = spawn('npm', ['run', '--silent', 'admin', '--', ...args], { cwd: root });
  child.stdin.end(stdin);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out, err };
}

const owner = ['--name', 'Acme', '--owner', 'Ada Lovelace', '--email', 'ada@acme.example'];

async function statusOf(url: string, key: string): Promise<number> {
  const { status } = await fetch(`${url}/users/me`, { headers: { Authorization: `Bearer ${key}` } });
  return status;
}

describe('npm start, begun by another Node, on fixed ports', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let started: Started;
  let ports: number[];
  let options: string[];
  let key: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    ports = await Promise.all([1, 2, 3, 4].map(() => freePort('0.0.0.0')));
    const names = ['--port', '--database-port', '--bucket-port', '--queue-port'];
    options = ['--host', '0.0.0.0', ...names.flatMap((name, i) => [name, String(ports[i])])];
    const node = join(folder.path, 'another-node');
    copyFileSync(process.execPath, node);
    const data = ['--data', join(folder.path, 'data'), '--no-demo'];
    started = new Started([...options, ...data], {}, [node, 'infra/local/start.mjs']);
    await started.until(/^ready /m);
  });
  afterAll(async () => {
    await started?.stop();
    await folder.remove();
  });

  it('records where everything is, for its user only', () => {
    const data = join(folder.path, 'data');
    const [api, database, bucket, queue] = ports.map((port) => `http://127.0.0.1:${port}`);
    expect(findRun(data)).toEqual({
      url: api,
      host: '0.0.0.0',
      variables: expect.objectContaining({
        TABLE_NAME: 'workspace',
        BUCKET_NAME: 'workspace',
        CURSOR_KEYS: readFileSync(join(data, 'cursor-key'), 'utf8'),
        DYNAMODB_ENDPOINT: database,
        S3_ENDPOINT: bucket,
        SQS_ENDPOINT: queue,
        QUEUE_URL_PREFIX: expect.stringMatching(/\/$/),
      }),
    });
    expect(started.url).toBe(api);
    expect(statSync(join(data, 'run.json')).mode & 0o077).toBe(0);
  });

  it('has a value for every variable of functions in containers', () => {
    const made = synthesize(operations, { stage: 'dev', localEndpoints: 'true', corsOrigins: '*' });
    const docker = { architecture: 'x86_64', machine: '172.17.0.1', loopback: false } as const;
    const known = variablesInContainers(findRun(join(folder.path, 'data')), docker);
    const Resources = made.api as unknown as Template['Resources'];
    expect(Object.keys(environmentOf({ Resources }, known)).length).toBeGreaterThan(operations.length);
  });

  it('says how to get a first key, and that way gives one, alone on stdout', async () => {
    const data = join(folder.path, 'data');
    const line = /npm run create-account -- (.*)$/m.exec(started.output)?.[1];
    expect(line).toBe(`--name Acme --owner "Ada Lovelace" --email ada@acme.example --data ${data}`);
    const made = await npmRunAdmin(['create-account', ...owner, '--data', data]);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^wsk_live_\w+\n$/) });
    key = made.out.trim();
    expect(await statusOf(started.url, key)).toBe(200);
  });

  it('revokes a leaked key by what stdin says', async () => {
    const data = ['--data', join(folder.path, 'data')];
    const revoked = await npmRunAdmin(['revoke', '--secret', ...data], `${key}\n`);
    expect(revoked).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^Revoked the API key .*, last used 2.*\n$/),
    });
    expect(await statusOf(started.url, key)).toBe(401);
    expect(await npmRunAdmin(['revoke', '--secret', ...data], key)).toEqual({
      code: 1,
      out: '',
      err: 'There is no such key or session: it was revoked before, or never existed\n',
    });
  });

  it.each(['--database-port', '--bucket-port', '--queue-port'])('refuses a taken %s', async (name) => {
    const port = options[options.indexOf(name) + 1] as string;
    const second = new Started(['--port', '0', name, port, '--data', await testFolder()]);
    expect(await second.end()).toBe(1);
    expect(second.complaints).toBe(
      `Port ${port} is taken. Stop what listens there, or choose another with: npm start -- ${name} <n>\n`,
    );
  });

  it('ends with the process that began it', async () => {
    const data = join(folder.path, 'data');
    const database = databaseOf(data);
    expect(await started.stop()).toBe(0);
    expect(isAlive(database)).toBe(false);
    expect(readdirSync(data)).not.toContain('run.json');
  });
});

describe('npm start, --watch', () => {
  it('starts again when a source file changes, with the same data', async () => {
    const folder = await testFolder();
    const started = await Started.ready(['--port', '0', '--data', folder, '--no-demo', '--watch']);
    onTestFinished(async () => {
      await started.stop();
    });
    const { out } = await npmRunAdmin(['create-account', ...owner, '--data', folder]);
    const before = databaseOf(folder);
    const now = new Date();
    utimesSync(join(root, 'functions', 'tags', 'list-tags.ts'), now, now);
    await started.until(/^ready [\s\S]*^ready /m);
    const database = databaseOf(folder);
    expect(database).not.toBe(before);
    expect(isAlive(before)).toBe(false);
    expect(await statusOf(started.url, out.trim())).toBe(200);
    await started.stop();
    await vi.waitUntil(() => !isAlive(database), { timeout: 5_000 });
  });
});

describe('npm start, without a database that answers', () => {
  it('refuses a wrong DYNAMODB_ENDPOINT in one line, and leaves nothing behind', async () => {
    const folder = await testFolder();
    const started = new Started(['--port', '0', '--data', folder], { DYNAMODB_ENDPOINT: 'localhost:8000' });
    expect(await started.end()).toBe(1);
    expect(started.complaints).toMatch(/^DYNAMODB_ENDPOINT must be an address such as .*\n$/);
    expect(readdirSync(folder)).not.toContain('run.json');
  });

  it('gives up on one that it started', async () => {
    const bin = await testFolder();
    const java = join(bin, 'java');
    writeFileSync(java, `#!/bin/sh\necho $$ > ${bin}/pid\nexec sleep 300\n`, { mode: 0o755 });
    const options = ['--port', '0', '--data', await testFolder()];
    const started = new Started(options, { PATH: `${bin}:${process.env.PATH}` });
    expect(await started.end()).toBe(1);
    expect(started.complaints).toMatch(
      /^The database \(DynamoDB Local\) does not answer within 30 seconds: .* or set DYNAMODB_ENDPOINT .*\n$/,
    );
    expect(isAlive(Number(readFileSync(join(bin, 'pid'), 'utf8')))).toBe(false);
  });
});
