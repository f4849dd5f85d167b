import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { DATA_VERSION, migrations } from '../../infra/migrations/all.ts';
import { type Migration, migrate } from '../../infra/migrations/migrate.ts';
import { prepareData } from '../../infra/migrations/prepare.ts';
import { type DataVersion, ensureVersion, misfit, readVersion } from '../../infra/migrations/version.ts';
import { longIt } from '../support/long.ts';
import { counts, doubles, expectMigrated, givenRows, throwAway } from '../support/migrations.ts';
import { ownTable } from '../support/table.ts';

const silent = () => {};

describe('a migration', () => {
  let name: string;
  let client: DynamoDBClient;
  let table: Table;
  beforeAll(async () => {
    name = await ownTable();
    client = new DynamoDBClient(clientOptions(inject('dynamodb_endpoint')));
    table = new Table(name, client);
  });
  afterAll(() => client.destroy());

  it('changes the data step by step, and does nothing the next time', async () => {
    await givenRows(table);
    const told: string[] = [];
    await migrate(table, throwAway, (line) => told.push(line));
    await migrate(table, throwAway, (line) => told.push(line));
    expect(told).toEqual(['Migrating to version 2: counts words', 'Migrating to version 3: doubles counts']);
    await expectMigrated(table);
  });

  it('notices another one at the same time', async () => {
    await givenRows(table);
    const meddling: Migration = {
      ...counts,
      step: async (of, cursor) => {
        await migrate(of, [counts], silent);
        return counts.step(of, cursor);
      },
    };
    await expect(migrate(table, [meddling], silent)).rejects.toThrow('Another migration');
    await migrate(table, throwAway, silent);
    await expectMigrated(table);
  });

  it('has the number of its place', async () => {
    await expect(migrate(table, [doubles], silent)).rejects.toThrow('Migration 3 is in the place of 2');
  });
});

describe('the version of the data', () => {
  const client = new DynamoDBClient(clientOptions(inject('dynamodb_endpoint')));
  afterAll(() => client.destroy());

  it('is that of the code in an empty table, and the first in an older one', async () => {
    const empty = new Table(await ownTable(), client);
    expect(await ensureVersion(empty, 7)).toMatchObject({ version: 7, readable_from: 7 });
    expect(await ensureVersion(empty, 8)).toMatchObject({ version: 7 });
    const older = new Table(await ownTable(), client);
    await older.put({ PK: 'X', SK: 'X' });
    expect(await ensureVersion(older, 7)).toMatchObject({ version: 1, readable_from: 1 });
    const raced = new Table(await ownTable(), client);
    const both = await Promise.all([ensureVersion(raced, 2), ensureVersion(raced, 2)]);
    expect(both[0]).toEqual(both[1]);
  });

  it('is checked by npm start', async () => {
    const table = new Table(await ownTable(), client);
    await prepareData(table);
    const found = (await readVersion(table)) as DataVersion;
    expect(found.version).toBe(DATA_VERSION);
    await table.put({ ...found, version: DATA_VERSION + 2, readable_from: DATA_VERSION + 1 });
    await expect(prepareData(table)).rejects.toThrow('take a newer release');
  });

  const data = (version: number, readable_from: number, migrating?: { to: number; cursor: unknown }) => ({
    PK: 'TABLE#data_version',
    SK: 'META',
    revision: 0,
    version,
    readable_from,
    ...(migrating ? { migrating } : {}),
  });
  it.each([
    [data(1, 1), 1, undefined],
    [data(1, 1), 2, 'this code needs 2: migrate it first'],
    // A release before the migration still works with its result, the one before that does not.
    [data(3, 2), 2, undefined],
    [data(3, 2), 1, 'needs code of version 2 or newer'],
    [data(1, 1, { to: 2, cursor: 5 }), 1, 'this code needs 2: migrate it first'],
  ])('%j and code of version %i: %s', (version, code, problem) => {
    expect(misfit(version, code)).toEqual(
      problem === undefined ? undefined : expect.stringContaining(problem),
    );
  });
});

describe('npm run migrate', () => {
  const endpoint = inject('dynamodb_endpoint');
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['infra/scripts/migrate.ts', ...args], {
      env: { ...process.env, DYNAMODB_ENDPOINT: endpoint },
    }).then(
      ({ stdout }) => [0, stdout],
      ({ code, stderr }: { code: number; stderr: string }) => [code, stderr],
    );

  it('brings the table of a stage to the version of the code', async () => {
    const client = new DynamoDBClient(clientOptions(endpoint));
    await client.send(
      new CreateTableCommand({
        TableName: 'WorkspaceApi-preview-migrate',
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
        KeySchema: [
          { AttributeName: 'PK', KeyType: 'HASH' },
          { AttributeName: 'SK', KeyType: 'RANGE' },
        ],
      }),
    );
    client.destroy();
    expect(await run('--stage', 'preview-migrate')).toEqual([0, `The data has version ${DATA_VERSION}.\n`]);
    expect(DATA_VERSION).toBe(1 + migrations.length);
  });

  longIt.each([
    [[], 'Name the stage'],
    [['--stage', 'prd'], 'Unknown stage "prd": did you mean prod?'],
    [['--stge', 'prod'], "Unknown option '--stge': did you mean --stage?"],
    [['--stage', 'dev'], 'There is no table for this stage in this AWS account and region: check --stage,'],
  ])('%j: %s', async (args, message) => {
    expect(await run(...args)).toEqual([1, expect.stringContaining(message)]);
  });
});
