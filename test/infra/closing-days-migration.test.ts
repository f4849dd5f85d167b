import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import type { ListEntry } from '#shared/domain/collaboration/record-lists/entry.ts';
import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import { countClosingDays } from '../../infra/migrations/0004-count-closing-days.ts';
import { givenDeal } from '../support/deals.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

describe('the migration to counted closing days', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  /** As older code wrote it. */
  async function forget(id: string) {
    const { table } = workspace;
    for (const { listed, ...entry } of await readEntries(table, { type: 'deals', id })) {
      const { dated, ...rest } = listed;
      await table.put({ ...entry, listed: rest } satisfies ListEntry);
      const { PK } = keys.listCount(entry.owner, 'deals', dated?.list ?? '');
      for (const counter of await table.all<Key>(PK))
        if (!counter.SK.startsWith('COUNT')) await table.delete(keyOf(counter));
    }
  }

  it('counts each open deal once, however often it runs', async () => {
    const { ada, table } = workspace;
    for (const visibility of ['account', 'private'] as const) {
      const deal = await givenDeal(ada, { expected_close_on: '2020-02-29', visibility });
      await forget(deal.id);
    }
    const overdue = () => ada.reader.countDeals({ query: { slice: 'overdue' } });
    expect((await overdue()).body.count.total).toBe(0);
    for (let run = 0; run < 2; run++) {
      let cursor: unknown;
      do cursor = await countClosingDays.step(table, cursor);
      while (cursor !== undefined);
    }
    expect((await overdue()).body.count.total).toBe(2);
  });
});
