import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, inject, it, vi } from 'vitest';
import { clientOptions } from '#shared/services.ts';
import { keys } from '#shared/table/keys.ts';
import { Table } from '#shared/table/table.ts';
import { startWorkspace } from '../support/workspace.ts';

it('a call copies nothing for a log', async () => {
  const workspace = await startWorkspace();
  const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const client = new DynamoDBClient({ ...clientOptions(inject('dynamodb_endpoint')), logger });
  const table = new Table(workspace.table.name, client);
  expect(await table.get(keys.account(workspace.account_id))).toBeDefined();
  expect(logger.info).not.toHaveBeenCalled();
  client.destroy();
  await workspace.stop();
});
