import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Noted } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { RecordType } from '#shared/table/keys.ts';
import { noteMoments } from '../../infra/migrations/0011-note-moments.ts';
import { givenDeal } from '../support/deals.ts';
import { listAsBefore } from '../support/older-lists.ts';
import { givenContact } from '../support/proposals.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());

/** Older code wrote one note at most, and knew no periods. */
const forget = (type: RecordType, id: string) =>
  listAsBefore(workspace.table, { type, id }, ({ noted = [], periods: _, ...listed }) => {
    const [older] = (noted as Noted[]).filter(({ list }) => list !== 'all');
    return older ? { ...listed, noted: older } : listed;
  });

it('records from before are found by their moments in every order, however often it runs', async () => {
  const { ada, table } = workspace;
  const since = { created_after: '2020-01-01T00:00:00Z' };
  const contact = await givenContact(ada, { name: 'Quentin Crisp' });
  const deal = await givenDeal(ada, { name: 'Sails', expected_close_on: '2020-02-29' });
  const { task } = (await ada.api.createTask({ body: { task: { name: 'Call', visibility: 'account' } } }))
    .body;
  const found = async () => {
    const [contacts, deals, tasks, closing] = await Promise.all([
      ada.reader.listContacts({ query: since }),
      ada.reader.listDeals({ query: { ...since, sort: 'name' } }),
      ada.reader.listTasks({ query: since }),
      ada.reader.listDeals({ query: { slice: 'overdue' } }),
    ]);
    return [contacts, deals, tasks, closing].map(({ body }) => body.collection.records.map(({ id }) => id));
  };
  const all = [[contact.id], [deal.id], [task.id], [deal.id]];
  expect(await found()).toEqual(all);
  await forget('contacts', contact.id);
  await forget('deals', deal.id);
  await forget('tasks', task.id);
  // The day of open deals was noted before; a few records are found by another order.
  expect(
    (await ada.reader.countTasks({ query: { created_before: '2100-01-01T00:00:00Z' } })).body.count.total,
  ).toBe(0);
  for (let run = 0; run < 2; run++) {
    let cursor: unknown;
    do cursor = await noteMoments.step(table, cursor);
    while (cursor !== undefined);
    expect(await found()).toEqual(all);
    expect(
      (await ada.reader.countTasks({ query: { created_before: '2100-01-01T00:00:00Z' } })).body.count.total,
    ).toBe(1);
  }
});
