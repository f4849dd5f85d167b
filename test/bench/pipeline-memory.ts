import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ApiResult } from '#shared/api/call.ts';
import { readConfig } from '#shared/config.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { Credential } from '#shared/domain/identity/credentials/credential.ts';
import { hashSecret, newSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Thread, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { counterName, slotOf } from '#shared/domain/platform/rates/rate.ts';
import { newId } from '#shared/ids.ts';
import { clientOptions, type Services } from '#shared/services.ts';
import { type Key, keys, timeRank } from '#shared/table/keys.ts';
import { type Item, Table } from '#shared/table/table.ts';

/** A table in memory that responds in DynamoDB's own JSON, with what the calls of the measured requests need. */

/** In the middle of an hour: in its first minute, authentication also reads the counters of the hour before. */
const now = new Date();
now.setUTCMinutes(30);
const HOUR = 3_600_000;
const [account_id, mailbox_id] = [newId(now), newId(now)];
export const user_id = newId(now);
export const thread_id = newId(now);
export const secret = newSecret('api_key');
const counter = counterName(slotOf(now));

const credential: Credential = {
  ...keys.credential(hashSecret(secret)),
  id: newId(now),
  account_id,
  user_id,
  kind: 'api_key',
  tier: 'read_write',
  used_at: now.toISOString(),
  [counter]: 1,
};
const user: User = {
  ...keys.user(account_id, user_id),
  id: user_id,
  account_id,
  email_address: 'ada@acme.example',
  name: 'Ada Lovelace',
  first_name: 'Ada',
  last_name: 'Lovelace',
  avatar_id: null,
  role: 'owner',
  status: 'active',
  time_zone: 'Europe/London',
  week_starts_on: 'monday',
  indexed_mailboxes: {},
  mailboxes: { [mailbox_id]: 'owner' },
  primary_mailbox_id: mailbox_id,
  assistant_enabled: true,
  notification_settings: {},
  created_at: now.toISOString(),
  updated_at: null,
};
const account: Account = {
  ...keys.account(account_id),
  id: account_id,
  name: 'Acme',
  status: 'active',
  owner_user_id: user_id,
  api_access: 'enabled',
  features: { ask_assistant: true },
  created_at: now.toISOString(),
  updated_at: null,
};
const rate: Item = {
  ...keys.userRate(user_id, Math.floor(now.getTime() / HOUR)),
  [counter]: 1,
};
const thread: Thread = {
  ...keys.record('threads', thread_id),
  id: thread_id,
  account_id,
  version: 1,
  mailbox_ids: new Set([mailbox_id]),
  owner_ids: new Set([user_id]),
};
/** Unread, so that marking it read writes. */
const entry: ThreadEntry = {
  ...keys.threadEntry(user_id, thread_id),
  thread_id,
  account_id,
  user_id,
  rank: `${timeRank(now.getTime())}#${thread_id}`,
  inbox_rank: `${timeRank(now.getTime())}#${thread_id}`,
  version: 1,
  subject: 'Renewal',
  snippet: 'The contract ends in March.',
  message_count: 1,
  received_count: 1,
  has_attachments: false,
  category: null,
  unreplied: true,
  mailbox_ids: [mailbox_id],
  shared_with: [],
  first_sent_at: now.toISOString(),
  last_sent_at: now.toISOString(),
  inbox_sort_time: now.toISOString(),
  sender_email_addresses: ['grace@globex.example'],
  participant_names: { 'grace@globex.example': 'Grace Hopper', 'ada@acme.example': 'Ada Lovelace' },
  participant_count: 2,
  unread: 1,
  revision: 1,
};

const nameOf = ({ PK, SK }: Key) => `${PK} ${SK}`;
const items = new Map<string, Item>(
  [credential, user, account, rate, thread, entry].map((item) => [nameOf(item), item]),
);

const TABLE = 'memory';

/** Where a command ends: at the objects of the response, or at its bytes as they arrive from the network. */
export type Depth = 'objects' | 'bytes';

/** A request for another item is not the one to be measured. */
function itemAt(key: Key | undefined): Item {
  const item = key && items.get(nameOf(key));
  if (!item) throw new Error(`The table in memory has no item ${JSON.stringify(key)}`);
  return item;
}

interface Output {
  Item?: Item;
  Attributes?: Item;
  Responses?: Record<string, Item[]>;
  Count?: number;
}

function responseTo(operation: string, wanted: Key[]): Output {
  if (operation === 'GetItem') return { Item: itemAt(wanted[0]) };
  if (operation === 'UpdateItem') return { Attributes: itemAt(wanted[0]) };
  if (operation === 'BatchGetItem')
    return { Responses: { [TABLE]: wanted.flatMap((key) => items.get(nameOf(key)) ?? []) } };
  if (operation === 'TransactWriteItems') return {};
  // How many tags there are.
  if (operation === 'Query') return { Count: 0 };
  throw new Error(`The table in memory has no response to ${operation}`);
}

/** The same in DynamoDB's own JSON. */
function stored({ Item, Attributes, Responses, ...others }: Output): object {
  return {
    ...others,
    ...(Item ? { Item: marshall(Item) } : {}),
    ...(Attributes ? { Attributes: marshall(Attributes) } : {}),
    ...(Responses ? { Responses: { [TABLE]: Responses[TABLE]?.map((item) => marshall(item)) } } : {}),
  };
}

/** Commands that name an item by its key, and return it. */
const BY_KEY = ['GetItem', 'UpdateItem', 'BatchGetItem'];
const KEYS = /"PK":\{"S":"([^"]*)"\},"SK":\{"S":"([^"]*)"\}/g;
const bytes = new Map<string, Uint8Array>();

/** In place of HTTP: the response to a request, built once. */
function bytesFor(target: string, body: string): Uint8Array {
  const operation = target.split('.')[1] as string;
  const found = BY_KEY.includes(operation) ? body.matchAll(KEYS) : [];
  const wanted = [...found].map(([, PK, SK]) => ({ PK, SK }) as Key);
  const name = [operation, ...wanted.map(nameOf)].join(' ');
  let response = bytes.get(name);
  if (!response) {
    response = Buffer.from(JSON.stringify(stored(responseTo(operation, wanted))));
    bytes.set(name, response);
  }
  return response;
}

type HttpRequest = { headers: Record<string, string>; body: Uint8Array };

const decoder = new TextDecoder();

const requestHandler = {
  handle: async ({ headers, body }: HttpRequest) => ({
    response: {
      statusCode: 200,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: bytesFor(headers['x-amz-target'] as string, decoder.decode(body)),
    },
  }),
};

interface Input {
  Key?: Key;
  RequestItems?: Record<string, { Keys?: Key[] }>;
}

export function memoryServices(depth: Depth): { services: Services; client: DynamoDBDocumentClient } {
  const options = { ...clientOptions('http://127.0.0.1:9'), requestHandler: requestHandler as never };
  const table = new Table(TABLE, new DynamoDBClient(options));
  if (depth === 'objects')
    table.client.middlewareStack.add(
      (_next, context) => async (args) => {
        const { Key: one, RequestItems } = args.input as Input;
        const wanted = one ? [one] : (RequestItems?.[TABLE]?.Keys ?? []);
        const operation = String(context.commandName).replace('Command', '');
        return { output: { $metadata: {}, ...responseTo(operation, wanted) } as never, response: {} };
      },
      { step: 'initialize', priority: 'high', name: 'respond-from-memory' },
    );
  const config = readConfig({ TABLE_NAME: TABLE, CURSOR_KEYS: 'bench', MAILBOX_KEYS: 'bench' });
  return { services: { config, table, clock: () => now }, client: table.client };
}

export interface Sent {
  Command: new (input: object) => object;
  input: object;
  output: unknown;
}

/** From now on the client returns these outputs in turn, without any work of the SDK. */
export function replay(client: DynamoDBDocumentClient, sent: Sent[][]): void {
  const outputs = sent.flat().map(({ output }) => output);
  let at = 0;
  client.send = (async () => outputs[at++ % outputs.length]) as never;
}

/** The commands of a request, in groups that are sent together. */
export async function recordSent(
  client: DynamoDBDocumentClient,
  request: () => Promise<ApiResult>,
): Promise<{ sent: Sent[][]; response: ApiResult }> {
  const sent: Sent[][] = [];
  let completed = true;
  const send = client.send;
  client.send = async function (this: unknown, command: object, ...rest: unknown[]) {
    if (completed) sent.push([]);
    completed = false;
    const { input } = command as { input: object };
    const one: Sent = {
      Command: command.constructor as Sent['Command'],
      input: structuredClone(input),
      output: undefined,
    };
    sent.at(-1)?.push(one);
    try {
      one.output = await (send as (...all: unknown[]) => Promise<unknown>).call(client, command, ...rest);
      return one.output;
    } finally {
      completed = true;
    }
  } as never;
  try {
    return { response: await request(), sent };
  } finally {
    client.send = send;
  }
}
