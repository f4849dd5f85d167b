import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { repairSum, sumDifferences } from '#shared/domain/collaboration/record-lists/repair-sums.ts';
import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import { sumDeals } from '../../infra/migrations/0006-sum-deals.ts';
import { damageSums, dashboardOf } from '../support/dashboard.ts';
import { givenDeal } from '../support/deals.ts';
import { longIt } from '../support/long.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('sums of deals', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    const { ada } = workspace;
    const params = { id: workspace.account_id };
    await ada.session.updateAccount({ params, body: { account: { default_currency: 'EUR' } } });
    await givenDeal(ada, { amount: 1e15 });
    await givenDeal(ada, { amount: 20.5, visibility: 'private' });
  });
  afterAll(() => workspace.stop());

  const right = { open_count: 2, open_amount: 1_000_000_000_000_020.5 };
  const shown = async () => {
    const [{ open_count, open_amount } = {}] = (await dashboardOf(workspace.ada)).deals;
    return { open_count, open_amount };
  };

  /** As older code wrote them. */
  async function forget() {
    const { table, account_id, ada } = workspace;
    const { records } = (await ada.reader.listDeals()).body.collection;
    for (const { id } of records)
      for (const { listed, ...entry } of await readEntries(table, { type: 'deals', id })) {
        const { summed: _, ...rest } = listed;
        await table.put({ ...entry, listed: rest } satisfies ListEntry);
      }
    for (const owner of [account_id, ada.user.id])
      for (const sum of await table.all<Key>(keys.listSum(owner, 'deals', '').PK))
        await table.delete(keyOf(sum));
  }

  it('come by a migration, however often it runs', async () => {
    expect(await shown()).toEqual(right);
    await forget();
    expect(await shown()).toEqual({ open_count: 0, open_amount: 0 });
    for (let run = 0; run < 2; run++) {
      let cursor: unknown;
      do cursor = await sumDeals.step(workspace.table, cursor);
      while (cursor !== undefined);
      expect(await shown()).toEqual(right);
    }
  });

  longIt('are repaired: too much, too little, and what no deal has', async () => {
    const { table, account_id, ada } = workspace;
    const differ = async () => {
      const owners = [account_id, ada.user.id];
      const all = owners.map((owner) => sumDifferences(table, { owner, record_type: 'deals' }));
      return (await Promise.all(all)).flat();
    };
    expect(await differ()).toEqual([]);
    await damageSums(workspace, ada);
    const found = await differ();
    expect(found.map(({ settled }) => settled)).toEqual([true, true, true]);
    const [first] = found;
    if (first?.stored)
      await repairSum(table, { ...first, stored: { record_count: 100, units: 0n } }).then((done) =>
        expect(done).toBe(false),
      );
    for (const difference of found) expect(await repairSum(table, difference)).toBe(true);
    expect(await differ()).toEqual([]);
    expect(await shown()).toEqual(right);
  });
});
