import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { clientOptions } from '#shared/services.ts';
import type { Key } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { createTable } from '../../infra/local/dynamodb.ts';

/**
 * The table of this worker. Its test files run one after the other and leave their items behind: each works in accounts
 * and keys of its own.
 */
export async function sharedTable(): Promise<string> {
  const name = `${inject('run')}-worker-${process.env.VITEST_POOL_ID}`;
  creation ??= createTable(inject('dynamodb_endpoint'), name, { expiring: false });
  await creation;
  return name;
}

let creation: Promise<void> | undefined;

const SIGNED = {
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0',
  'x-amz-date': '20260101T000000Z',
};

/**
 * A client whose requests all have the same signature: DynamoDB Local looks for one and checks none, and to sign costs
 * a fifth of what a call costs here.
 */
export function tableClient(): DynamoDBClient {
  return new DynamoDBClient({
    ...clientOptions(inject('dynamodb_endpoint')),
    signer: {
      sign: async (request) => {
        Object.assign(request.headers, SIGNED);
        return request;
      },
    },
  });
}

/** Another table, for tests that read or count all items. */
export async function ownTable(): Promise<string> {
  const name = `${inject('run')}-own-${randomUUID()}`;
  await createTable(inject('dynamodb_endpoint'), name, { expiring: false });
  return name;
}

/** The shared table, without the service around it. */
export async function startTable(): Promise<{ table: Table; stop(): void }> {
  const name = await sharedTable();
  const client = tableClient();
  return { table: new Table(name, client), stop: () => client.destroy() };
}

/** A key that no item has. */
export const freshKey = () => ({ PK: `ROW#${randomUUID()}`, SK: 'META' });

/** The key of an item that is there now. */
export async function givenItem(table: Table, item: object): Promise<Key> {
  const key = freshKey();
  await table.put({ ...key, ...item });
  return key;
}
