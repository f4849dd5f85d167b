import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { clientOptions } from '#shared/services.ts';
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
