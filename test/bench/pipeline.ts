import { deepStrictEqual } from 'node:assert/strict';
import { Writable } from 'node:stream';
import middy from '@middy/core';
import type { ApiEvent, ApiResult } from '#shared/api/call.ts';
import type { Services } from '#shared/services.ts';
import { type Extent, machine, markdownTable, report } from './numbers.ts';
import { retrieveCurrentUserByHand, serviceAuthenticated } from './pipeline-by-hand.ts';
import {
  type Depth,
  memoryServices,
  recordSent,
  replay,
  type Sent,
  secret,
  thread_id,
  user_id,
} from './pipeline-memory.ts';
import { CALLS, measure, ROUNDS, type Variant } from './turns.ts';

/** `npm run bench pipeline`: what a request costs in the process. The table is in memory. */

function eventOf(httpMethod: string, resource: string, path: string, body?: unknown): ApiEvent {
  const headers = {
    Host: 'api.example',
    Accept: 'application/json',
    Authorization: `Bearer ${secret}`,
    'User-Agent': 'bench',
    'X-Forwarded-For': '192.0.2.1',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return {
    resource,
    path,
    httpMethod,
    headers,
    multiValueHeaders: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    pathParameters: resource.includes('{id}') ? { id: thread_id } : null,
    queryStringParameters: null,
    multiValueQueryStringParameters: null,
    stageVariables: null,
    requestContext: { requestId: user_id, stage: 'bench', identity: { sourceIp: '192.0.2.1' } },
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
  } as unknown as ApiEvent;
}

const events = {
  retrieveCurrentUser: eventOf('GET', '/users/me', '/users/me'),
  markThreadRead: eventOf('POST', '/threads/{id}/read', `/threads/${thread_id}/read`, {}),
  createTag: eventOf('POST', '/tags', '/tags', { tag: { name: 'Renewal', color: '#2F6FED' } }),
};

type Name = keyof typeof events;
const names = Object.keys(events) as Name[];

/** Logs and metrics are written, and discarded. */
async function silently<T>(work: () => Promise<T>): Promise<T> {
  const stdout = Object.getOwnPropertyDescriptor(process, 'stdout') as PropertyDescriptor;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  Object.defineProperty(process, 'stdout', { value: nowhere, configurable: true });
  try {
    return await work();
  } finally {
    Object.defineProperty(process, 'stdout', stdout);
  }
}

const fixed: ApiResult = {
  statusCode: 200,
  headers: { 'Content-Type': 'application/json' },
  body: '{"ok":"ok"}',
};

async function handlersByName() {
  const { families } = await import('../../functions/catalogue.ts');
  return {
    retrieveCurrentUser: families.users.retrieveCurrentUser.handler,
    markThreadRead: families.threads.markThreadRead.handler,
    createTag: families.tags.createTag.handler,
  };
}

/** A request without the SDK. */
async function requestAlone(name: Name): Promise<Variant[]> {
  const { setServices } = await import('#shared/services.ts');
  const handler = (await handlersByName())[name];
  const { services, client } = memoryServices('objects');
  const prepare = () => setServices(services);
  prepare();
  const invoke = () => handler({ ...events[name] }, context);
  const { sent, response } = await recordSent(client, invoke);
  replay(client, sent);
  const beside = name === 'retrieveCurrentUser' ? await byHand(services, response) : [];
  return [{ name, prepare, invoke }, ...beside];
}

/** `retrieveCurrentUser` in one function, and what parts of the service's structure add to it. */
async function byHand(services: Services, expected: ApiResult): Promise<Variant[]> {
  const event = () => ({ ...events.retrieveCurrentUser });
  const inMiddy = middy<ApiEvent, ApiResult>().handler((sent: ApiEvent) =>
    retrieveCurrentUserByHand(sent, services),
  ) as unknown as Handler;
  const variants = [
    { name: 'by hand', invoke: () => retrieveCurrentUserByHand(event(), services) },
    { name: 'by hand in Middy', invoke: () => inMiddy(event(), context) },
    {
      name: 'by hand, authenticated by the service',
      invoke: () => retrieveCurrentUserByHand(event(), services, serviceAuthenticated),
    },
  ];
  for (const { invoke } of variants) deepStrictEqual(await invoke(), expected);
  return variants;
}

/** The requests with a table that ends at that depth, and their commands alone. */
async function requestsOf(depth: Depth): Promise<Variant[]> {
  const { setServices } = await import('#shared/services.ts');
  const { services, client } = memoryServices(depth);
  const handlers = await handlersByName();
  const resend = async (sent: Sent[][]) => {
    for (const together of sent)
      await Promise.all(together.map(({ Command, input }) => client.send(new Command(input) as never)));
  };
  const prepare = () => setServices(services);
  prepare();
  const variants: Variant[] = [];
  for (const name of names) {
    const invoke = () => handlers[name]({ ...events[name] }, context);
    const { sent, response } = await recordSent(client, invoke);
    if (response.statusCode >= 400)
      throw new Error(`${name} returned ${response.statusCode} ${response.body}`);
    variants.push(
      { name: `${name} ${depth}`, prepare, invoke },
      { name: `${name} ${depth} alone`, invoke: () => resend(sent) },
    );
  }
  return variants;
}

type Handler = (event: ApiEvent, context: unknown) => Promise<ApiResult>;

const context = { functionName: 'bench', getRemainingTimeInMillis: () => 29_000 };

/** The log line of every request, alone. */
async function reports(): Promise<Variant[]> {
  const { recordRequest } = await import('#shared/log.ts');
  const outcome = { operation: 'retrieveCurrentUser', status: 200, duration_ms: 1.25, error_code: undefined };
  const ids = { request_id: user_id, account_id: user_id, user_id, credential_id: user_id };
  return [{ name: 'line', invoke: async () => recordRequest('bench', { ...outcome, ...ids }) }];
}

/** Groups of variants that take turns. A Lambda function serves one operation: its code runs with no other in between. */
async function* groups(): AsyncGenerator<Variant[]> {
  const bare = async (_event: ApiEvent): Promise<ApiResult> => fixed;
  const plain = middy<ApiEvent, ApiResult>().handler(bare as never) as unknown as Handler;
  yield [
    { name: 'bare', invoke: () => bare({ ...events.retrieveCurrentUser }) },
    { name: 'middy', invoke: () => plain({ ...events.retrieveCurrentUser }, context) },
    ...(await reports()),
    ...(await requestAlone('retrieveCurrentUser')),
  ];
  yield requestAlone('markThreadRead');
  yield requestAlone('createTag');
  yield [...(await requestsOf('objects')), ...(await requestsOf('bytes'))];
}

/** Rounds for what takes microseconds: the compiler is done with it after some ten thousand calls. */
const WARM_UP = 100;

async function measureAll(extent: Extent): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for await (const group of groups())
    for (const [name, time] of await measure(group, extent, group.length < 10 ? WARM_UP : undefined))
      times.set(name, time);
  return times;
}

const micro = (value: number) => value.toFixed(1);

/** What ran without the SDK. */
const ALONE: Record<string, string> = {
  bare: 'an async function',
  middy: 'Middy without middleware',
  line: 'the line of log and metrics alone',
  'by hand': 'retrieveCurrentUser in one function',
  'by hand in Middy': '- in Middy',
  'by hand, authenticated by the service': "- with the service's authentication",
};

function rowsOf(times: Map<string, number>): (string | number)[][] {
  const time = (name: string) => times.get(name) ?? Number.NaN;
  const own = (name: string) => [
    time(name).toFixed(time(name) < 1 ? 2 : 1),
    micro(time(name) / time('middy')),
  ];
  return [
    ...Object.entries(ALONE).map(([name, shown]) => [shown, ...own(name), '', '', '', '']),
    ...names.map((name) => [
      name,
      ...own(name),
      micro(time(`${name} objects`)),
      micro(time(`${name} objects alone`)),
      micro(time(`${name} bytes`)),
      micro(time(`${name} bytes alone`)),
    ]),
  ];
}

const HEAD = [
  'What is called',
  'own, us',
  'ratio',
  'short, us',
  'SDK in it, us',
  'whole, us',
  'SDK in it, us',
];

function page(rows: (string | number)[][]): string {
  return `# What a request costs in the process

Written by \`npm run bench pipeline\`: ${machine()}. Microseconds, the median of ${ROUNDS} rounds of ${CALLS} calls; the rounds of
the variants take turns: those of retrieveCurrentUser without the SDK, and all with the SDK. Machines differ: compare within one table.

${markdownTable(HEAD, 'lrrrrrr', rows)}

The real handlers are called with API Gateway events, one after the other. Nothing leaves the process: the table answers
from memory, and the line of each request goes to a stream that drops it.

- **own**: what this project's code takes, with the line of Powertools in it: reading the event, checking and hashing the
  key, both rate limits, access, negotiation, validation, the operation, checking the response and writing it as JSON, one
  line of log and metrics. Each command is built, and its output is there at once, without any of the SDK.
- **ratio**: of own to Middy with the handler that the first line calls alone: it returns a fixed response.
- **short**: the commands are answered by the first middleware of the SDK, with objects. No marshalling is in it.
- **whole**: the commands go through all of the SDK, and bytes in memory take the place of HTTP: marshalling, serializing,
  signing, parsing and unmarshalling are in it; sockets and the network are not.
- **SDK in it**: the same commands with the same inputs, sent alone, as many at once as the request sends.

**short** and **whole** are for scale. Less the SDK in them they are larger than **own**: within a request the same
functions of the SDK take longer than in a loop of their own.

**In one function** is what the work costs without the structure: the steps of retrieveCurrentUser for a request that succeeds, with
expressions as text, without middleware, errors and retries (test/bench/pipeline-by-hand.ts). It returns the same
response, and it shares with the service the hash, the measuring of rates, the schema and the line. The two lines below it
put one part of the service back. Authentication adds typed expressions, keys from one place, batches, retries, and the
errors of the domain. What is left is not measured by parts: access, negotiation, paths, unknown names, conditions, and
the state of a call between the steps.

retrieveCurrentUser sends nothing but authentication (three commands), markThreadRead two reads and a transaction more;
createTag has a body to validate, counts the tags and sends one transaction more.
`;
}

export async function run(extent: Extent): Promise<void> {
  process.env.POWERTOOLS_LOG_LEVEL = 'INFO';
  delete process.env.POWERTOOLS_METRICS_DISABLED;
  const rows = rowsOf(await silently(() => measureAll(extent)));
  const printed = markdownTable(HEAD, 'lrrrrrr', rows);
  await report(extent, { file: 'pipeline.md', page: page(rows), printed });
}
