import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { clientOptions } from '#shared/services.ts';
import { Table } from '#shared/table/table.ts';
import { migrate } from '../../infra/migrations/migrate.ts';
import { crashAfter, failCall } from '../support/faults.ts';
import { expectMigrated, givenRows, throwAway } from '../support/migrations.ts';
import { ownTable } from '../support/table.ts';

const silent = () => {};

describe('a migration that is interrupted', () => {
  let client: DynamoDBClient;
  let table: Table;
  beforeAll(async () => {
    client = new DynamoDBClient(clientOptions(inject('dynamodb_endpoint')));
    table = new Table(await ownTable(), client);
  });
  afterAll(() => client.destroy());

  it.each([
    ['is killed after it', crashAfter],
    ['loses its response', (of: Table, call: number) => failCall(of, call, 'after')],
    ['cannot send it', (of: Table, call: number) => failCall(of, call, 'before')],
  ])('ends the same whichever call it is when it %s', async (_title, interrupt) => {
    let call = 1;
    for (; ; call++) {
      await givenRows(table);
      const fault = interrupt(table, call);
      const failed = await migrate(table, throwAway, silent).then(
        () => false,
        () => true,
      );
      const { hit } = fault;
      fault.remove();
      if (!hit) break;
      if (failed) await migrate(table, throwAway, silent);
      await expectMigrated(table);
    }
    // Every row is read and written, and every step recorded.
    expect(call).toBeGreaterThan(20);
  });
});
