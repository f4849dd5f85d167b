import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { keyOf } from '#shared/table/keys.ts';
import { countContacts } from '../../infra/migrations/0014-count-contacts.ts';
import { givenDeal } from '../support/deals.ts';
import { expectCounted } from '../support/list-places.ts';
import { givenOrganization } from '../support/organizations.ts';
import { givenContact } from '../support/proposals.ts';
import { scan } from '../support/scan.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());

/** Older code had no numbers of these types. */
async function forget(type: 'contacts' | 'organizations', id: string) {
  const { table } = workspace;
  for (const { listed, ...entry } of await readEntries(table, { type, id })) {
    const { counted: _, ...before } = listed;
    await table.put({ ...entry, listed: before } satisfies ListEntry);
  }
  for (const item of await scan(table))
    if (item.PK.includes(`#${type}:`) && item.SK.startsWith('COUNT')) await table.delete(keyOf(item));
}

it('contacts and organizations from before are counted once, however often it runs', async () => {
  const { ada, table } = workspace;
  for (const visibility of ['account', 'private'] as const) {
    await forget('contacts', (await givenContact(ada, { visibility })).id);
    await forget('organizations', (await givenOrganization(ada, { visibility })).id);
  }
  const totals = async () => [
    (await ada.reader.countContacts()).body.count.total,
    (await ada.reader.countContacts({ query: { slice: 'unemployed' } })).body.count.total,
    (await ada.reader.countOrganizations({ query: { slice: 'mine' } })).body.count.total,
  ];
  expect(await totals()).toEqual([0, 0, 0]);
  for (let run = 0; run < 2; run++) {
    let cursor: unknown;
    do cursor = await countContacts.step(table, cursor);
    while (cursor !== undefined);
    expect(await totals()).toEqual([2, 2, 2]);
    await expectCounted(table);
  }
});

it('numbers of deals that older code wrote into one item still count', async () => {
  const { ada, table, account_id } = workspace;
  const count = async () => (await ada.reader.countDeals()).body.count.total;
  await givenDeal(ada);
  const items = (await scan(table)).filter(
    ({ PK, SK }) => PK === `LIST#${account_id}#deals:all` && SK.startsWith('COUNT'),
  );
  for (const item of items) {
    await table.delete(keyOf(item));
    await table.put({ ...item, SK: 'COUNT' });
  }
  expect([items.length, await count()]).toEqual([1, 1]);
  await givenDeal(ada);
  expect(await count()).toBe(2);
});
