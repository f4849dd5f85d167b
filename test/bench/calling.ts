import { createHmac, hash } from 'node:crypto';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { type Extent, machine, markdownTable, report } from './numbers.ts';
import { CALLS, measure, ROUNDS } from './turns.ts';

/** `npm run bench calling`: what one call of DynamoDB costs in the process, through the SDK and in lighter ways. */

const REGION = 'eu-west-1';
const HOST = `dynamodb.${REGION}.amazonaws.com`;
/** As long as the credentials of a function. */
const credentials = {
  accessKeyId: 'A'.repeat(20),
  secretAccessKey: 's'.repeat(40),
  sessionToken: 't'.repeat(900),
};

const Key = keys.user('01a202b3-20f8-7bea-b3c3-9ec1366dfd4d', '01a202b3-20f8-7c02-b582-4443b6adfaf5');
const item = {
  ...Key,
  email_address: 'ada@acme.example',
  name: 'Ada Lovelace',
  role: 'owner',
  time_zone: 'Europe/London',
  mailboxes: { '01a202b3-20f8-7c23-b64c-31c8e7671e78': 'owner' },
  created_at: '2026-11-22T10:00:00.000Z',
};
const bytes = Buffer.from(JSON.stringify({ Item: marshall(item) }));
const decoder = new TextDecoder();

interface HttpRequest {
  headers: Record<string, string>;
  body: string | Uint8Array;
}

/** In place of HTTP. */
const requestHandler = {
  handle: async (_request: HttpRequest) => ({
    response: { statusCode: 200, headers: { 'content-type': 'application/x-amz-json-1.0' }, body: bytes },
  }),
};

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text);
/** The same for all requests of a day. */
const signingKeys = new Map<string, Buffer>();

function signingKey(date: string): Buffer {
  const known = signingKeys.get(date);
  if (known) return known;
  const made = [date, REGION, 'dynamodb', 'aws4_request'].reduce(
    (key: string | Buffer, part) => hmac(key, part).digest(),
    `AWS4${credentials.secretAccessKey}`,
  ) as Buffer;
  signingKeys.set(date, made);
  return made;
}

/** Signature Version 4 (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). */
function signed(target: string, body: string): HttpRequest {
  const moment = new Date().toISOString().replace(/[-:]|\.\d{3}/g, '');
  const date = moment.slice(0, 8);
  const headers: Record<string, string> = {
    'content-type': 'application/x-amz-json-1.0',
    host: HOST,
    'x-amz-date': moment,
    'x-amz-security-token': credentials.sessionToken,
    'x-amz-target': `DynamoDB_20120810.${target}`,
  };
  const names = Object.keys(headers).join(';');
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`);
  const request = hash('sha256', `POST\n/\n\n${lines.join('')}\n${names}\n${hash('sha256', body)}`);
  const scope = `${date}/${REGION}/dynamodb/aws4_request`;
  const signature = hmac(signingKey(date), `AWS4-HMAC-SHA256\n${moment}\n${scope}\n${request}`).digest('hex');
  const credential = `Credential=${credentials.accessKeyId}/${scope}`;
  headers.authorization = `AWS4-HMAC-SHA256 ${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { headers, body };
}

async function byHand(): Promise<unknown> {
  const input = { TableName: 'table', Key: marshall(Key), ConsistentRead: true };
  const { response } = await requestHandler.handle(signed('GetItem', JSON.stringify(input)));
  return unmarshall(JSON.parse(decoder.decode(response.body)).Item);
}

function clientWith(cacheMiddleware: boolean): DynamoDBClient {
  return new DynamoDBClient({
    ...{ region: REGION, endpoint: `https://${HOST}`, credentials, cacheMiddleware },
    requestHandler: requestHandler as never,
  });
}

function variantsOf() {
  const documents = new Table('table', clientWith(false)).client;
  const input = { TableName: 'table', ConsistentRead: true };
  const withUtil = async (client: DynamoDBClient) =>
    unmarshall((await client.send(new GetItemCommand({ ...input, Key: marshall(Key) }))).Item ?? {});
  const [plain, cached] = [clientWith(false), clientWith(true)];
  return [
    {
      name: 'lib-dynamodb, as this project',
      invoke: () => documents.send(new GetCommand({ ...input, Key })),
    },
    { name: 'client-dynamodb with util-dynamodb', invoke: () => withUtil(plain) },
    { name: 'the same with `cacheMiddleware`', invoke: () => withUtil(cached) },
    { name: 'util-dynamodb, JSON and a signature by hand', invoke: byHand },
  ];
}

function page(printed: string): string {
  return `# What a call of DynamoDB costs in the process

Written by \`npm run bench calling\`: ${machine()}. Microseconds of a GetItem of a user, the median of ${ROUNDS} rounds of ${CALLS}
calls; the rounds of all variants take turns. Bytes answer in place of HTTP, so sockets and the network are not in it.
Machines differ: compare within one table.

${printed}

A request makes three calls to authenticate and some more. What the lighter ways leave out is resolving the SDK's
middleware anew for each call, and with the last one also its retries, its metrics of features, its choice of endpoints and
its search for credentials. [0030](../decisions/0030-calling-dynamodb.md) says why none of them is used.
`;
}

export async function run(extent: Extent): Promise<void> {
  const times = await measure(variantsOf(), extent);
  const first = [...times.values()][0] as number;
  const rows = [...times].map(([name, time]) => [name, time.toFixed(0), (time / first).toFixed(2)]);
  const printed = markdownTable(['How', 'us', 'ratio'], 'lrr', rows);
  await report(extent, { file: 'calling.md', page: page(printed), printed });
}
