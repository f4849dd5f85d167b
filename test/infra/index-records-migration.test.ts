import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { searchIndexOf } from '#shared/domain/collaboration/record-lists/searched.ts';
import { removeIndex } from '#shared/domain/platform/text-index/remove.ts';
import { indexRecords } from '../../infra/migrations/0015-index-records.ts';
import { givenDeal } from '../support/deals.ts';
import { givenContact } from '../support/proposals.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());

/** Older code did not know when a record happened. */
async function forget(type: 'contacts' | 'deals', id: string) {
  const { table } = workspace;
  for (const { listed, ...entry } of await readEntries(table, { type, id })) {
    const { moment: _, named: __, ...found } = listed.found ?? { order: '', text: [] };
    await table.put({ ...entry, listed: { ...listed, found } } satisfies ListEntry);
  }
}

it('records from before are found by several words, however often it runs', async () => {
  const { ada, grace, table, account_id } = workspace;
  const open = await givenContact(ada, { name: 'Greta Grebe' });
  const hidden = await givenContact(ada, { name: 'Greta Grebe', visibility: 'private' });
  const deal = await givenDeal(ada, { name: 'Grebe for Greta' });
  await forget('contacts', open.id);
  await forget('contacts', hidden.id);
  await forget('deals', deal.id);
  for (const owner of [account_id, ada.user.id]) await removeIndex(table, searchIndexOf(owner));
  const found = async ({ reader }: typeof ada) => {
    const { search } = (await reader.searchRecords({ query: { query: 'greta grebe' } })).body;
    return search.results.map(({ id }) => id);
  };
  expect(await found(ada)).toEqual([]);
  for (let run = 0; run < 2; run++) {
    let cursor: unknown;
    do cursor = await indexRecords.step(table, cursor);
    while (cursor !== undefined);
    expect(await found(ada)).toEqual([hidden.id, open.id, deal.id]);
    expect(await found(grace)).toEqual([open.id, deal.id]);
  }
});
