import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import { shareOf } from '#shared/domain/collaboration/record-lists/counters.ts';
import { ALL, type ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { packedName } from '#shared/domain/collaboration/record-lists/packed.ts';
import {
  counterDifferences,
  repairCounter,
} from '#shared/domain/collaboration/record-lists/repair-counters.ts';
import { countedDealLists } from '#shared/domain/crm/deals/counted-lists.ts';
import { dealLists } from '#shared/domain/crm/deals/lists.ts';
import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { sumDeals } from '../../infra/migrations/0006-sum-deals.ts';
import { damageSums, dashboardOf } from '../support/dashboard.ts';
import { givenDeal } from '../support/deals.ts';
import { expectCounted } from '../support/list-places.ts';
import { longIt } from '../support/long.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

type Counted = Item & { record_count?: number; n01?: number; n99?: number; names?: Set<string> };

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

  const differ = async () => {
    const { table, account_id, ada, grace, linus } = workspace;
    const owners = [account_id, ...[ada, grace, linus].map(({ user }) => user.id)];
    const counted = await countedDealLists(table, account_id, owners.slice(1));
    const all = owners.map((owner) => counterDifferences(table, { owner, record_type: 'deals', counted }));
    return (await Promise.all(all)).flat();
  };

  longIt('are repaired: too much, too little, and what no deal has', async () => {
    const { table, ada } = workspace;
    expect(await differ()).toEqual([]);
    await damageSums(workspace, ada);
    const found = await differ();
    expect(found.map(({ name, settled }) => [name, settled])).toEqual(
      ['record_count', 'units', 'record_count', 'units', 'record_count', 'units'].map((name) => [name, true]),
    );
    const [first] = found;
    if (first) expect(await repairCounter(table, { ...first, stored: 100 })).toBe(false);
    for (const difference of found) expect(await repairCounter(table, difference)).toBe(true);
    expect(await differ()).toEqual([]);
    expect(await shown()).toEqual(right);
  });

  longIt('so are numbers of lists, of their days and of words', async () => {
    const { table, account_id, ada } = workspace;
    const day = new Date().toISOString().slice(0, 10);
    const { id } = await givenDeal(ada, { name: 'Counted well', amount: 3, expected_close_on: day });
    const asked = [
      {},
      { slice: 'open' },
      { slice: 'mine' },
      { status: 'lost' },
      { query: 'counted' },
      { created_after: '2020-01-01T00:00:00Z' },
      { expected_close_before: '2999-01-01' },
    ] as const;
    const numbers = () =>
      Promise.all(asked.map(async (query) => (await ada.reader.countDeals({ query })).body.count.total));
    const before = await numbers();
    const { part } = packedName(id);
    const share = shareOf({ record_id: id });
    const countOf = (owner: string, list: string) => keys.listCount(owner, 'deals', list, share);
    await table.update<Counted>(countOf(account_id, ALL), { add: { record_count: 5 } });
    await table.delete(countOf(account_id, dealLists.status('open')));
    await table.put({ ...countOf(ada.user.id, dealLists.status('lost')), record_count: 2 });
    await table.put({ ...countOf(account_id, dealLists.mine(ada.user.id)), record_count: 0 });
    await table.update<Counted>(
      keys.listYear(account_id, 'deals', 'expected_close_on', `${day.slice(0, 4)}#${id.at(-1)}`),
      { set: { n01: 7, n99: 1 } },
    );
    await table.put({ ...keys.listYear(account_id, 'deals', 'created_at', '2999#0'), n12: 4 });
    await table.update<Counted>(keys.packedList(account_id, 'deals', 'word:counted', part), {
      set: { names: new Set(['gone1234', 'gone5678']) },
    });
    const wrong = await numbers();
    expect(wrong.filter((number, i) => number === before[i])).toEqual([]);
    const found = await differ();
    expect(found.every(({ settled }) => settled)).toBe(true);
    for (const difference of found) expect(await repairCounter(table, difference)).toBe(true);
    expect(await differ()).toEqual([]);
    expect(await numbers()).toEqual(before);
    await expectCounted(table);
  });
});
