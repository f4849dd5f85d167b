import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { clientOptions } from '#shared/services.ts';
import type { Key } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { createTable } from '../../infra/local/dynamodb.ts';

/** A table of its own, without the service around it. */
export async function startTable(): Promise<{ table: Table; stop(): void }> {
  const endpoint = inject('dynamodb_endpoint');
  const name = `test-${randomUUID()}`;
  await createTable(endpoint, name);
  const client = new DynamoDBClient(clientOptions(endpoint));
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
