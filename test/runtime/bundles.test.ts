import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { type Endpoint, endpointsOf } from '#shared/api/catalogue.ts';
import { queues, schedules, socketEvents, streams } from '#shared/queues/queues.ts';
import { operations } from '../../functions/catalogue.ts';
import { namesOf } from '../../infra/aws/names.ts';
import { seedAccount } from '../../infra/local/seed.ts';
import { ofType, type Resource, type Synthesized, spelled, synthesize } from '../infra/synthesized.ts';
import { ownTable, startTable } from '../support/table.ts';
import { answerOf, apiEvent, emptyBatch, scheduled, socketEvent } from './events.ts';
import { type DeployedFunction, synthesizeFunctions } from './functions.ts';
import { invoke, type Outcome } from './runtime.ts';

/** Every function of a deployment, loaded and called as in Lambda: without a key, or with an empty batch. */

const folder = mkdtempSync(join(tmpdir(), 'runtime-'));
const names = namesOf('dev');
const ada = { name: 'Ada Lovelace', email_address: 'ada@acme.example', role: 'owner' } as const;
let functions: Map<string, DeployedFunction>;
/** Of the local database; everything else is not there. */
let local: Record<string, string>;

beforeAll(async () => {
  const npm = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', npm, { cwd: join(import.meta.dirname, 'client'), stdio: 'inherit' });
  functions = synthesizeFunctions(join(folder, 'deployed'));
  local = {
    TABLE_NAME: await ownTable(),
    DYNAMODB_ENDPOINT: inject('dynamodb_endpoint'),
    S3_ENDPOINT: 'http://127.0.0.1:1',
    SQS_ENDPOINT: 'http://127.0.0.1:1',
    SOCKET_URL: 'wss://sockets.example/dev',
  };
});
afterAll(() => rmSync(folder, { recursive: true }));

function call(name: string, event: unknown): Promise<Outcome> {
  const { variables, ...code } = functions.get(name) as DeployedFunction;
  return invoke({ ...code, variables: { ...variables, ...local }, event });
}

async function answer(name: string, event: unknown) {
  const { posted, body } = await call(name, event);
  expect(posted, body).toBe('response');
  return answerOf(body);
}

/** The first one of each operation. */
const endpoints = operations.map((operation) => ({
  ...(endpointsOf([operation]).find(({ method }) => method !== 'HEAD') as Endpoint),
  name: operation.name,
  access: operation.definition.access,
}));
const closed = endpoints.filter(({ access }) => access !== 'public');
const open = endpoints.filter(({ access }) => access === 'public');

it('are all functions of the deployment', () => {
  const called = [
    ...[...operations.map(({ name }) => name), 'notFound'].map(names.operation),
    ...[queues, schedules, streams].flatMap((each) => Object.keys(each)).map(names.job),
    ...Object.keys(socketEvents).map(names.socket),
  ];
  expect([...functions.keys()].sort()).toEqual(called.sort());
});

const needsQuery = (name: string) => {
  const { query = {} } = operations.find((each) => each.name === name)?.definition ?? {};
  return Object.values(query).some((parameter) => !parameter.safeParse(undefined).success);
};

describe('without a key', () => {
  it.concurrent.each(closed)('$method $resource is 401', async ({ method, resource, name }) => {
    const { status, headers, body } = await answer(names.operation(name), apiEvent(resource, method));
    expect(status, body).toBe(401);
    expect(JSON.parse(body).error).toMatchObject({ code: 'unauthorized', request_id: 'r1' });
    expect(headers['Content-Type']).toContain('application/json');
  });

  it.concurrent.each(open)('$method $resource is for everybody', async ({ method, resource, name }) => {
    const { status, body } = await answer(names.operation(name), apiEvent(resource, method));
    const reading = resource.includes('{') ? 404 : 200;
    // Signing in needs a body, and ending mail what the link in the mail has.
    expect(status, body).toBe(method === 'GET' && !needsQuery(name) ? reading : 400);
    expect(body.length).toBeGreaterThan(0);
  });

  it('any other path is 404', async () => {
    const { status } = await answer(names.operation('notFound'), apiEvent('/{proxy+}', 'GET'));
    expect(status).toBe(404);
  });
});

it.concurrent.each(Object.keys(queues))('%s has nothing to do in an empty batch', async (name) => {
  const { posted, body } = await call(names.job(name), emptyBatch);
  expect([posted, JSON.parse(body)]).toEqual(['response', { batchItemFailures: [] }]);
});

it.concurrent.each(Object.keys(schedules))('%s has nothing to do in an empty table', async (name) => {
  expect(await call(names.job(name), scheduled)).toEqual({ posted: 'response', body: 'null' });
});

it.concurrent.each(Object.keys(streams))('%s has nothing to tell in an empty batch', async (name) => {
  expect(await call(names.job(name), emptyBatch)).toEqual({ posted: 'response', body: 'null' });
});

it.concurrent.each([
  ['connect', 401],
  ['disconnect', 200],
  ['default', 200],
])('%s of sockets answers %i without a ticket', async (name, statusCode) => {
  const { posted, body } = await call(names.socket(name), socketEvent);
  expect([posted, JSON.parse(body)]).toEqual(['response', { statusCode }]);
});

describe('a function for local servers', () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'AKIAREALREALREALREAL', AWS_SECRET_ACCESS_KEY: 'real' };
  let templates: Synthesized;
  beforeAll(() => {
    templates = synthesize(operations, { stage: 'dev', localEndpoints: 'true' });
  });

  const callLocally = (name: string, event: unknown, more: Record<string, string>) => {
    const { folder, handler } = functions.get(name) as DeployedFunction;
    const [, { Properties }] = ofType({ ...templates.api, ...templates.jobs }, 'AWS::Lambda::Function').find(
      ([, each]) => each.Properties.FunctionName === name,
    ) as [string, Resource];
    const given = Object.entries(Properties.Environment.Variables).map(([key, value]) => [
      key,
      spelled(value),
    ]);
    const variables = { ...Object.fromEntries(given), ...credentials, ...more };
    return invoke({ folder, handler, variables, event });
  };

  it.each([
    [names.operation('createUpload'), apiEvent('/uploads', 'POST'), ['DYNAMODB_ENDPOINT', 'S3_ENDPOINT']],
    [names.operation('createMailImport'), apiEvent('/mailboxes/{id}/imports', 'POST'), ['SQS_ENDPOINT']],
    [names.operation('retrieveHealth'), apiEvent('/health', 'GET'), ['DYNAMODB_ENDPOINT']],
    [names.job('sweep-jobs'), scheduled, ['DYNAMODB_ENDPOINT', 'SQS_ENDPOINT']],
  ])('%s fails until it has their addresses, also with credentials', async (name, event, missing) => {
    const { posted, body } = await callLocally(name, event, {});
    expect(posted, body).toBe('error');
    const { errorMessage } = JSON.parse(body);
    expect(errorMessage).toMatch(/^LOCAL_ENDPOINTS is true, and .* not set/);
    for (const variable of missing) expect(errorMessage).toContain(variable);
  });

  it.each([
    ['retrieveDocs', apiEvent('/docs', 'GET'), 200],
    ['notFound', apiEvent('/{proxy+}', 'GET'), 404],
  ])('%s, which uses none, needs no address', async (name, event, status) => {
    const { posted, body } = await callLocally(names.operation(name), event, {});
    expect(posted, body).toBe('response');
    expect(answerOf(body).status).toBe(status);
  });

  it('signs with credentials of nobody, for the local bucket', async () => {
    const { table, stop } = await startTable();
    const { users } = await seedAccount(table, 'Acme', [ada], new Date());
    stop();
    const headers = { Authorization: `Bearer ${users[0]?.write_key}`, 'Content-Type': 'application/json' };
    const multiValueHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    );
    const upload = { file_name: 'a.txt', content_type: 'text/plain', size: 1 };
    const event = apiEvent('/uploads', 'POST', {
      headers,
      multiValueHeaders,
      body: JSON.stringify({ upload }),
    });
    const { body } = await callLocally(names.operation('createUpload'), event, {
      ...local,
      TABLE_NAME: table.name,
      BUCKET_NAME: 'workspace',
    });
    const { status, body: text } = answerOf(body);
    expect(status, text).toBe(201);
    const url = new URL(JSON.parse(text).upload.url);
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:1\/workspace\/uploads\//);
    expect(url.searchParams.get('X-Amz-Credential')).toMatch(/^local\//);
    expect(text).not.toContain(credentials.AWS_ACCESS_KEY_ID);
  });
});

describe('a function that Lambda would not run', () => {
  const commonjs = '{"type":"commonjs"}';
  const good = 'exports.handler = async () => "good";';

  it.concurrent.each([
    ['is told from one that it runs', good, commonjs, 'response', 'good'],
    ['lacks a module', `require('./missing'); ${good}`, commonjs, 'init error', 'Runtime.ImportModuleError'],
    ['lacks a package', `require('zod'); ${good}`, commonjs, 'init error', 'Runtime.ImportModuleError'],
    [
      'has a callback',
      'exports.handler = (event, context, callback) => callback(null, "called");',
      commonjs,
      'init error',
      'Runtime.CallbackHandlerDeprecated',
    ],
    ['has no handler', 'exports.other = 1;', commonjs, 'init error', 'Runtime.HandlerNotFound'],
    [
      'is an ES module, marked as CommonJS',
      'export const handler = async () => 1;',
      commonjs,
      'init error',
      'Runtime.UserCodeSyntaxError',
    ],
    [
      'is an ES module without a marker',
      'export const handler = async () => 1;',
      undefined,
      'init error',
      'Runtime.UserCodeSyntaxError',
    ],
    ['is CommonJS, marked as an ES module', good, '{"type":"module"}', 'init error', 'ReferenceError'],
    [
      'fails',
      'exports.handler = async () => { throw new TypeError("no"); };',
      commonjs,
      'error',
      'TypeError',
    ],
  ])('%s', async (title, source, marker, posted, says) => {
    const own = join(folder, title.replaceAll(/\W+/g, '-'));
    mkdirSync(own);
    writeFileSync(join(own, 'index.js'), source);
    if (marker) writeFileSync(join(own, 'package.json'), marker);
    const outcome = await invoke({ folder: own, handler: 'index.handler', variables: {}, event: {} });
    expect(outcome).toEqual({ posted, body: expect.stringContaining(says) });
  });
});
