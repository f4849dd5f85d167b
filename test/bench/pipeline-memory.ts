import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { ApiResult } from '#shared/api/call.ts';
import { readConfig } from '#shared/config.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { newSecret } from '#shared/domain/identity/credentials/secret.ts';
import type { Credential } from '#shared/domain/identity/credentials/store.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { counterName, slotOf } from '#shared/domain/platform/rates/rate.ts';
import { newId } from '#shared/ids.ts';
import { clientOptions, type Services } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';

/** A table that answers from memory, in DynamoDB's own JSON: what a request's calls need, and nothing else. */

const now = new Date();
const [account_id, mailbox_id] = [newId(now), newId(now)];
export const user_id = newId(now);
export const secret = newSecret('api_key');
const counter = counterName(slotOf(now));

const credential: Credential = {
  ...keys.credential('hash'),
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
  avatar_url: null,
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
const rate = { ...keys.userRate(user_id, 0), [counter]: 1 };
const entry = { ...keys.threadEntry(user_id, user_id), thread_id: user_id, mailbox_ids: [mailbox_id] };

const TABLE = 'memory';

/** How far a command goes: to the answer's objects, or to its bytes, as the network would bring them. */
export type Depth = 'objects' | 'bytes';

function updated(partition: string | undefined): object {
  if (partition?.startsWith('KEY#')) return credential;
  return partition?.startsWith('RATE#') ? rate : entry;
}

function answerTo(operation: string, partition: string | undefined): object {
  if (operation === 'UpdateItem') return { Attributes: updated(partition) };
  if (operation === 'BatchGetItem') return { Responses: { [TABLE]: [user, account] } };
  if (operation === 'TransactWriteItems') return {};
  throw new Error(`The table in memory has no answer to ${operation}`);
}

/** The same in DynamoDB's own JSON. */
function stored({ Attributes, Responses }: { Attributes?: object; Responses?: Record<string, object[]> }) {
  if (Attributes) return { Attributes: marshall(Attributes) };
  return Responses ? { Responses: { [TABLE]: Responses[TABLE]?.map((item) => marshall(item)) } } : {};
}

const bytes = new Map<string, Uint8Array>();

/** In place of HTTP: the answer to a request, made once. */
function bytesFor(target: string, body: string): Uint8Array {
  const operation = target.split('.')[1] as string;
  const partition = /"PK":\{"S":"([^"]*)/.exec(body)?.[1];
  const name = `${operation} ${partition?.split('#')[0]}`;
  let found = bytes.get(name);
  if (!found) {
    found = Buffer.from(JSON.stringify(stored(answerTo(operation, partition))));
    bytes.set(name, found);
  }
  return found;
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

export function memoryServices(depth: Depth): { services: Services; client: DynamoDBDocumentClient } {
  const options = { ...clientOptions('http://127.0.0.1:9'), requestHandler: requestHandler as never };
  const table = new Table(TABLE, new DynamoDBClient(options));
  if (depth === 'objects')
    table.client.middlewareStack.add(
      (_next, context) => async (args) => {
        const { Key } = args.input as { Key?: { PK?: string } };
        const operation = String(context.commandName).replace('Command', '');
        return { output: { $metadata: {}, ...answerTo(operation, Key?.PK) } as never, response: {} };
      },
      { step: 'initialize', priority: 'high', name: 'answer-from-memory' },
    );
  const config = readConfig({ TABLE_NAME: TABLE, CURSOR_KEYS: 'bench' });
  return { services: { config, table, now: () => now }, client: table.client };
}

export interface Sent {
  Command: new (input: object) => object;
  input: object;
}

/** What a request sends, in groups that are sent together. */
export async function recordSent(
  client: DynamoDBDocumentClient,
  request: () => Promise<ApiResult>,
): Promise<{ sent: Sent[][]; answer: ApiResult }> {
  const sent: Sent[][] = [];
  let answered = true;
  const send = client.send;
  client.send = async function (this: unknown, command: object, ...rest: unknown[]) {
    if (answered) sent.push([]);
    answered = false;
    const { input } = command as { input: object };
    sent.at(-1)?.push({ Command: command.constructor as Sent['Command'], input: structuredClone(input) });
    try {
      return await (send as (...all: unknown[]) => Promise<unknown>).call(client, command, ...rest);
    } finally {
      answered = true;
    }
  } as never;
  try {
    return { answer: await request(), sent };
  } finally {
    client.send = send;
  }
}
