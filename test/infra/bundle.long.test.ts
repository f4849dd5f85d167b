import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { kebab, type Operation } from '#shared/api/catalogue.ts';
import { visibility } from '#shared/composition/visibility.ts';
import type { AssistantConfig } from '#shared/config.ts';
import { sanitizeHtml } from '#shared/domain/platform/html/sanitize.ts';
import { operations } from '../../functions/catalogue.ts';
import { measureBundles } from '../../infra/aws/budget.ts';
import { bundle, bundleFile, bundleSettings, root } from '../../infra/aws/bundle.ts';
import { type Entry, entriesOf } from '../../infra/aws/entries.ts';
import { mostly, sample } from '../support/long.ts';

/** The bundles as Lambda runs them: in a process of their own, with nothing of this project around them. */

const out = mkdtempSync(join(tmpdir(), 'bundles-'));
const entries = entriesOf(operations);
let metafile: Metafile;

beforeAll(async () => {
  metafile = await bundle(operations, out, 'bedrock');
}, 120_000);
afterAll(() => rmSync(out, { recursive: true }));

/** Runs a script with these variables and no others; returns the JSON that it writes after its logs. */
function run(script: string, args: string[], env: Record<string, string> = {}) {
  const options = { env, cwd: tmpdir(), encoding: 'utf8' } as const;
  const written = execFileSync(process.execPath, ['-e', script, ...args], options);
  return JSON.parse(written.split('\n').at(-1) as string);
}

/** Bundles a snippet with the settings of all bundles. */
async function bundleSnippet(name: string, contents: string): Promise<string> {
  const outfile = join(out, 'snippets', `${name}.cjs`);
  await build({ ...bundleSettings, stdin: { contents, resolveDir: root, loader: 'ts' }, outfile });
  return outfile;
}

/** Bundles loaded in one process: each brings a copy of the SDK, so all at once would need gigabytes. */
const TOGETHER = 25;

test('every entry point loads with an empty environment and exports a handler', () => {
  const script = `
    const handlers = process.argv.slice(1).map((file) => typeof require(file).handler);
    process.stdout.write(JSON.stringify(handlers));`;
  // CI runs every one of them under the runtime client of AWS (npm run test:runtime).
  const loaded = sample(entries);
  for (let i = 0; i < loaded.length; i += TOGETHER) {
    const files = loaded.slice(i, i + TOGETHER).map((entry) => bundleFile(out, entry));
    expect(run(script, files)).toEqual(files.map(() => 'function'));
  }
}, 120_000);

test('every bundle is within its budget and holds only the clients that it uses', () => {
  const problems = measureBundles(operations, metafile).filter((size) => size.problems.length > 0);
  expect(problems.map(({ entry, problems }) => `${entry}: ${problems}`)).toEqual([]);
});

test.each(
  mostly<[provider: AssistantConfig['provider'], held: string[]]>(
    [
      ['bedrock', ['bedrock.ts']],
      ['openai', ['openai.ts']],
      ['none', ['built-in.ts']],
    ],
    [['built-in', ['built-in.ts']]],
  ),
)(
  'the bundles of a deployment with %s hold that assistant alone',
  async (provider, held) => {
    const folder = join(out, provider);
    // The worker that answers is among the consumers of queues, which every build has.
    const { outputs } = provider === 'bedrock' ? metafile : await bundle([], folder, provider);
    const adapters = Object.values(outputs).flatMap(({ inputs }) =>
      Object.entries(inputs).filter(
        ([file, { bytesInOutput }]) =>
          bytesInOutput > 100 && /assistant\/(bedrock|openai|built-in\/built-in)\.ts$/.test(file),
      ),
    );
    expect([...new Set(adapters.map(([file]) => file.split('/').at(-1)))]).toEqual(held);
    rmSync(folder, { recursive: true, force: true });
  },
  120_000,
);

test('finds a bundle over its budget, or with a client that is not in `uses`', () => {
  const at = operations.findIndex(({ definition }) => definition.name === 'listApiKeys');
  const name = entries[at]?.name;
  const careless = structuredClone(metafile);
  const output = Object.entries(careless.outputs).find(([file]) =>
    file.endsWith(`/${name}/index.js`),
  )?.[1] as Metafile['outputs'][string];
  output.bytes += 1_000_000;
  output.inputs['node_modules/@aws-sdk/client-s3/dist-es/index.js'] = { bytesInOutput: 1 };
  const careful = operations[at] as Operation;
  const without = { ...careful, definition: { ...careful.definition, uses: [] } };
  const found = measureBundles(operations.with(at, without), careless);
  expect(found.find(({ entry }) => entry === name)?.problems).toEqual([
    expect.stringContaining('@aws-sdk/client-s3'),
    expect.stringContaining('bytes are more than'),
  ]);
});

describe('of the families of records', () => {
  /** The types with one name for everybody, whose kind is common code. */
  const named = ['contacts', 'organizations', 'deals', 'milestones', 'spaces'];
  /** Bytes: loading of a record, its visibility, its readers and its name, and for files who reads which of their mails. */
  const KIND = 2_800;
  /** An occurrence without an item follows from the rule of its series: its days, to the last one of the year 9999, and its times. */
  const RULES = 10_700;

  /** Bytes of each family of the contexts that have records. */
  const familiesIn = (name: string): Record<string, number> => {
    const [, output] = Object.entries(metafile.outputs).find(([file]) =>
      file.endsWith(`/${name}/index.js`),
    ) as [string, Metafile['outputs'][string]];
    const found: Record<string, number> = {};
    for (const [file, { bytesInOutput }] of Object.entries(output.inputs)) {
      const family = /^shared\/domain\/((?:calendar|crm|mail|work|assistant)\/[^/]+)\//.exec(file)?.[1];
      if (family) found[family] = (found[family] ?? 0) + bytesInOutput;
    }
    return found;
  };

  /** The bundles that hold one of the files. */
  const holding = (file: RegExp): string[] =>
    entries
      .map(({ name }) => name)
      .filter((name) => {
        const held = Object.entries(metafile.outputs).find(([output]) =>
          output.endsWith(`/${name}/index.js`),
        );
        return Object.keys(held?.[1].inputs ?? {}).some((input) => file.test(input));
      })
      .sort();

  test.each([
    ['comments/update-comment', KIND],
    ['comments/delete-comment', KIND],
    ['comments/add-reaction', KIND],
    ['queues/deliver-notifications', RULES],
  ])('%s has their kinds and nothing else', (name, events) => {
    const families = familiesIn(name);
    const own = Object.keys(visibility.records).filter((type) => !named.includes(type));
    expect(Object.keys(families)).toHaveLength(own.length);
    for (const [family, bytes] of Object.entries(families))
      expect(bytes, family).toBeLessThanOrEqual(family === 'calendar/calendar-events' ? events : KIND);
  });

  test('what is about a comment has no library of rules', () => {
    const about = ['add-reaction', 'delete-comment', 'remove-reaction', 'update-comment', 'update-reaction'];
    const held = holding(/node_modules\/(rrule-temporal|temporal-polyfill)\//);
    expect(held).toContain('comments/create-comment');
    expect(held.filter((name) => about.includes(name.replace('comments/', '')))).toEqual([]);
  });

  test('comments/create-comment has besides what gives an occurrence an item', () => {
    const families = familiesIn('comments/create-comment');
    const kinds = ['calendar/calendar-events', 'mail/threads', 'work/files', 'work/tasks'];
    expect(Object.keys(families).sort()).toEqual([...kinds, 'mail/mailboxes'].sort());
    const bytes = Object.values(families).reduce((sum, each) => sum + each, 0);
    expect(bytes).toBeLessThanOrEqual(40_000);
  });

  test('only functions that propose, accept or undo have the actions, and only the worker that answers has the tools', () => {
    expect(holding(/proposals\/actions\/(contact|deal|organization|tag|task)-\w+\.ts$/)).toEqual([
      'proposals/accept-proposal',
      'proposals/resolve-proposals',
      'proposals/undo-proposal',
      'queues/reply-as-assistant',
      'queues/run-thread-agents',
    ]);
    expect(holding(/answering\/tools\/(contact|deal|organization|task|thread)-tools\.ts$/)).toEqual([
      'queues/reply-as-assistant',
    ]);
  });

  test.each(['tags/create-tag', 'tags/list-tags', 'groups/create-group', 'uploads/create-upload'])(
    '%s has nothing',
    (name) => {
      expect(familiesIn(name)).toEqual({});
    },
  );
});

test('a file that the catalogue names and that is not there is an error', async () => {
  const missing = { ...(operations[0] as Operation), name: 'doNothingAtAll' };
  await expect(bundle([missing], join(out, 'never'), 'bedrock')).rejects.toThrow(/do-nothing-at-all\.ts/);
});

describe('the function for everything else', () => {
  const request = (resource: string, httpMethod: string) => {
    const script = `
      const { handler } = require(process.argv[1]);
      handler(JSON.parse(process.argv[2])).then((result) => process.stdout.write(JSON.stringify(result)));`;
    const file = bundleFile(out, { name: 'gateway/not-found' });
    const event = { resource, path: '/x', httpMethod, headers: {}, requestContext: { requestId: 'r1' } };
    const env = { LAMBDA_TASK_ROOT: dirname(file), AWS_REGION: 'eu-central-1' };
    return run(script, [file, JSON.stringify(event)], env);
  };

  test('returns 404 in the documented shape', () => {
    const response = request('/{proxy+}', 'GET');
    expect(response.statusCode).toBe(404);
    expect(JSON.parse(response.body).error.code).toBe('not_found');
    expect(response.headers['X-Request-Id']).toBe('r1');
  });

  test('returns 405 with the methods from the file beside it', () => {
    const response = request('/users', 'DELETE');
    expect(response.statusCode).toBe(405);
    expect(response.headers.Allow).toContain('GET');
  });
});

test('operations that stream mark their handler for the runtime, and write the format of API Gateway', () => {
  // The runtime's own object, as aws-lambda-nodejs-runtime-interface-client makes it.
  const script = `
    const { PassThrough } = require('node:stream');
    const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');
    globalThis.awslambda = {
      streamifyResponse: (handler) => Object.assign(handler, { [streaming]: 'response' }),
    };
    const { stream, handler } = require(process.argv[1]);
    const types = [];
    const out = Object.assign(new PassThrough(), { setContentType: (type) => types.push(type) });
    const read = (async () => Buffer.concat(await out.toArray()).toString('latin1'))();
    stream(JSON.parse(process.argv[2]), out, {})
      .then(() => read)
      .then((bytes) => {
        const marks = [stream[streaming], handler[streaming] ?? null];
        process.stdout.write(JSON.stringify({ bytes, types, marks }));
      });`;
  const event = {
    resource: '/tags',
    path: '/tags',
    httpMethod: 'GET',
    headers: {},
    requestContext: { requestId: 'r1' },
  };
  const env = { TABLE_NAME: 'none', STAGE: 'test', AWS_REGION: 'eu-central-1' };
  for (const { name } of sample(operations.filter(({ definition }) => definition.streams))) {
    const entry = entries.find(({ file }) => file.endsWith(`/${kebab(name)}.ts`)) as Entry;
    const { bytes, types, marks } = run(script, [bundleFile(out, entry), JSON.stringify(event)], env);
    const [metadata, body] = bytes.split('\0'.repeat(8));
    expect(marks).toEqual(['response', null]);
    expect(types).toEqual(['application/vnd.awslambda.http-integration-response']);
    expect(JSON.parse(metadata)).toMatchObject({ statusCode: 401, headers: { 'X-Request-Id': 'r1' } });
    expect(JSON.parse(body).error.code).toBe('unauthorized');
  }
}, 60_000);

test('operations with static files have them beside the bundle, the others have none', () => {
  for (const { name, assets } of entries) {
    const folder = join(dirname(bundleFile(out, { name })), 'assets');
    expect(existsSync(join(folder, 'methods.json')), name).toBe(assets !== 'none');
    expect(existsSync(join(folder, 'swagger-ui-bundle.js')), name).toBe(assets === 'all');
  }
});

describe('replaced libraries', () => {
  test('credentials come from the environment', async () => {
    const file = await bundleSnippet(
      'credentials',
      `import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
       export const find = () => new DynamoDBClient({ region: 'eu-central-1' }).config.credentials();`,
    );
    const script = `require(process.argv[1]).find().then(
      ({ accessKeyId, secretAccessKey, sessionToken }) =>
        process.stdout.write(JSON.stringify([accessKeyId, secretAccessKey, sessionToken])),
      (error) => process.stdout.write(JSON.stringify(error.message)));`;
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
    expect(run(script, [file], env)).toEqual(['id', 'secret', 'token']);
    expect(run(script, [file])).toMatch(/AWS_ACCESS_KEY_ID/);
  });

  test('Bedrock is asked with the credentials of the role', async () => {
    const file = await bundleSnippet(
      'bedrock',
      `import { BedrockRuntimeClient, ConverseCommand } from '@aws-sdk/client-bedrock-runtime';
       export async function send() {
         let sent;
         const requestHandler = { handle: async (request) => { sent = request; throw new Error('sent'); } };
         const client = new BedrockRuntimeClient({ region: 'eu-central-1', requestHandler, maxAttempts: 1 });
         await client.send(new ConverseCommand({ modelId: 'm', messages: [] })).catch(() => {});
         return sent.headers.authorization;
       }`,
    );
    const script = `require(process.argv[1]).send().then((value) => process.stdout.write(JSON.stringify(value)));`;
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
    expect(run(script, [file], env)).toMatch(/^AWS4-HMAC-SHA256 Credential=id\//);
  });

  test('HTML is cleaned as from the sources, styles included', async () => {
    const file = await bundleSnippet(
      'sanitize',
      `export { sanitizeHtml } from './shared/domain/platform/html/sanitize.ts';`,
    );
    const html =
      '<p style="color: red; background: url(https://t.example/p.gif)" onclick="x()">a &amp; <b>b</b></p><script>1</script>';
    const script = `process.stdout.write(JSON.stringify(
      ['mail', 'comment'].map((policy) => require(process.argv[1]).sanitizeHtml(process.argv[2], policy))));`;
    const fromSources = [sanitizeHtml(html, 'mail'), sanitizeHtml(html, 'comment')];
    expect(run(script, [file, html])).toEqual(fromSources);
    expect(fromSources[0]).toContain('<b>b</b>');
  });

  test('are in no bundle', () => {
    const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
    const unwanted = inputs.filter((file) =>
      /credential-provider-(node|ini|sso)|token-providers|node_modules\/postcss/.test(file),
    );
    expect(unwanted).toEqual([]);
  });
});

test('folders are CommonJS in any place', () => {
  for (const { name } of entries)
    expect(JSON.parse(readFileSync(join(out, name, 'package.json'), 'utf8'))).toEqual({ type: 'commonjs' });
});
