import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newJob } from '#shared/domain/platform/jobs/job.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { removeAccounts } from '../../infra/local/remove-accounts.ts';
import { failCall } from '../support/faults.ts';
import { createRecords } from '../support/records.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** With a record of every type in both accounts. */

async function items(table: Table): Promise<Item[]> {
  const { Items = [] } = await table.client.send(new ScanCommand({ TableName: table.name }));
  return Items as Item[];
}

const keyOf = ({ PK, SK }: Item) => `${PK} ${SK}`;

describe('removing an account', () => {
  let workspace: Workspace;
  /** Items of Globex and of the table. */
  let others: Item[];
  let acme: string;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    acme = workspace.account_id;
    const { table, hank, grace } = workspace;
    await createRecords(workspace, hank);
    const before = new Set((await items(table)).map(keyOf));
    await createRecords(workspace, grace);
    await table.put(newJob('import-mail', { account_id: acme }, new Date()));
    const foreign = hank.user.account_id;
    const kept = (item: Item) =>
      before.has(keyOf(item)) &&
      !JSON.stringify(item).includes(acme) &&
      ![workspace.ada, grace, workspace.linus].some(({ user }) => keyOf(item).includes(user.id));
    others = (await items(table)).filter(kept);
    expect(others.filter((item) => JSON.stringify(item).includes(foreign)).length).toBeGreaterThan(20);
  });
  afterAll(() => workspace.stop());

  it('is repeated when a call fails, removes all of it, and nothing of others', async () => {
    const { table } = workspace;
    let failed = 0;
    // The first call reads the table, the others remove.
    for (let call = 2; ; call++) {
      const fault = failCall(table, call, call % 2 === 0 ? 'before' : 'after');
      const removed = await removeAccounts(table, [acme]).then(
        () => true,
        () => false,
      );
      fault.remove();
      if (!fault.hit) break;
      expect(removed).toBe(false);
      failed++;
    }
    expect(failed).toBeGreaterThan(1);
    const byKey = (a: Item, b: Item) => (keyOf(a) < keyOf(b) ? -1 : 1);
    expect((await items(table)).sort(byKey)).toEqual(others.sort(byKey));
  });
});
