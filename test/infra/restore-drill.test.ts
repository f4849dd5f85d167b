import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { createTable } from '../../infra/local/dynamodb.ts';
import { explain } from '../../infra/scripts/admin/explain.ts';
import { drill } from '../../infra/scripts/restore-drill.ts';
import { longIt } from '../support/long.ts';
import { ownTable } from '../support/table.ts';

const items = Array.from({ length: 30 }, (_, i) => ({ PK: `ROW#${i}`, SK: 'META' }));

describe('npm run restore-drill', () => {
  const endpoint = inject('dynamodb_endpoint');
  const client = new DynamoDBClient(clientOptions(endpoint));
  let source: string;
  /** What the restored table has. */
  let backup = items;
  const asked: object[] = [];
  beforeAll(async () => {
    source = await ownTable();
    await new Table(source, client).writeMany(items.map((put) => ({ put })));
    // DynamoDB Local restores nothing: the call makes a table with the items of the backup.
    client.middlewareStack.add(
      (next, context) => async (args) => {
        if (context.commandName !== 'RestoreTableToPointInTimeCommand') return next(args);
        const input = args.input as unknown as { TargetTableName: string };
        asked.push(input);
        await createTable(endpoint, input.TargetTableName);
        await new Table(input.TargetTableName, client).writeMany(backup.map((put) => ({ put })));
        return { response: {}, output: { $metadata: {} } };
      },
      { step: 'initialize' },
    );
  });
  afterAll(() => client.destroy());

  const restored = async () => {
    const { TableNames = [] } = await client.send(
      new ListTablesCommand({ ExclusiveStartTableName: `${source}-`, Limit: 1 }),
    );
    return TableNames.filter((name) => name.startsWith(`${source}-drill-`));
  };

  longIt('compares samples with the restored table, and deletes it', async () => {
    const at = new Date('2026-11-20T09:30:00Z');
    const told: string[] = [];
    expect(await drill(client, { source, at, keep: false }, (line) => told.push(line))).toBe(true);
    expect(told).toContainEqual('30 of 30 samples of the table are in the restored one');
    expect(asked.at(-1)).toMatchObject({ SourceTableName: source, RestoreDateTime: at });
    expect(await restored()).toEqual([]);
  });

  it('fails for a table without the items, and can keep it', async () => {
    backup = items.slice(0, 3);
    expect(await drill(client, { source, at: undefined, keep: true }, () => {})).toBe(false);
    expect(asked.at(-1)).toMatchObject({ UseLatestRestorableTime: true });
    expect(await restored()).toHaveLength(1);
  });

  longIt('says in one line that there is no table', async () => {
    const told: string[] = [];
    const refused = Object.assign(new Error('Source table not found: x'), { name: 'TableNotFoundException' });
    client.middlewareStack.add(
      (next, { commandName }) =>
        (args) =>
          commandName === 'RestoreTableToPointInTimeCommand' ? Promise.reject(refused) : next(args),
      { step: 'initialize', priority: 'high', name: 'refuse' },
    );
    const failed = drill(client, { source, at: undefined, keep: false }, (line) => told.push(line));
    expect(await failed.catch((error: unknown) => explain(error, 'this stage'))).toMatch(
      /^There is no table for this stage in this AWS account and region: /,
    );
    expect(told).toHaveLength(1);
    client.middlewareStack.remove('refuse');
  });

  longIt.each([
    [[], 'Name the stage'],
    [['--stage', 'prd'], 'did you mean prod?'],
    [['--stage', 'prod', '--at', 'yesterday'], 'such as 2026-11-20T09:30:00Z, not "yesterday"'],
  ])('%j is refused: %s', async (args, message) => {
    const run = promisify(execFile)(process.execPath, ['infra/scripts/restore-drill.ts', ...args]);
    await expect(run).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  });
});
