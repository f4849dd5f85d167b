import { afterAll, beforeAll, expect, it } from 'vitest';
import { keyOf } from '#shared/table/keys.ts';
import { listDealsAndContacts } from '../../infra/migrations/0013-list-deals-and-contacts.ts';
import { givenDeal } from '../support/deals.ts';
import { expectCounted } from '../support/list-places.ts';
import { listAsBefore, periodsOf } from '../support/older-lists.ts';
import { givenContact } from '../support/proposals.ts';
import { scan } from '../support/scan.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());

/** Older code wrote nothing of this. */
const forget = (id: string) =>
  listAsBefore(workspace.table, { type: 'deals', id }, ({ days: _, packed: __, ...before }) => before);

async function forgetDays() {
  const ofOrders = /#deals:(?:created_at|updated_at|expected_close_on)$/;
  for (const item of await scan(workspace.table))
    if (ofOrders.test(item.PK)) await workspace.table.delete(keyOf(item));
}

async function migrate() {
  let cursor: unknown;
  do cursor = await listDealsAndContacts.step(workspace.table, cursor);
  while (cursor !== undefined);
}

it('deals from before are counted once by their moments and words, however often it runs', async () => {
  const { ada, table } = workspace;
  for (const visibility of ['account', 'private'] as const) {
    const { id } = await givenDeal(ada, { name: 'Fleet', expected_close_on: '2020-02-29', visibility });
    await forget(id);
  }
  await forgetDays();
  const totals = () =>
    Promise.all(
      [
        { query: 'fle' },
        { created_before: '2100-01-01T00:00:00Z' },
        { updated_after: '2020-01-01T00:00:00Z' },
        { expected_close_before: '2020-03-01' },
      ].map(async (query) => (await ada.reader.countDeals({ query })).body.count.total),
    );
  expect(await totals()).toEqual([0, 0, 0, 0]);
  for (let run = 0; run < 2; run++) {
    await migrate();
    expect(await totals()).toEqual([2, 2, 2, 2]);
    await expectCounted(table);
  }
});

it('contacts from before are in the lists of their months', async () => {
  const { ada, table } = workspace;
  const { id, created_at } = await givenContact(ada);
  await listAsBefore(table, { type: 'contacts', id }, ({ periods: _, ...before }) => before);
  const months = ['created', 'written'].map((moment) => `${moment}:${created_at.slice(0, 7)}`);
  expect(await periodsOf(table, 'contacts', id)).toEqual([]);
  for (let run = 0; run < 2; run++) {
    await migrate();
    expect(await periodsOf(table, 'contacts', id)).toEqual(months);
  }
});
