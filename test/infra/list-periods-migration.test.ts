import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordType } from '#shared/table/keys.ts';
import { listPeriods } from '../../infra/migrations/0012-list-periods.ts';
import { givenFile } from '../support/files.ts';
import { listAsBefore, periodsOf } from '../support/older-lists.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());

/** Older code knew no periods. */
const forget = (type: RecordType, id: string) =>
  listAsBefore(workspace.table, { type, id }, ({ periods: _, ...before }) => before);

it('tasks and files from before are in the lists of their periods, however often it runs', async () => {
  const { ada, table } = workspace;
  const file = await givenFile(workspace, ada);
  const { task } = (await ada.api.createTask({ body: { task: { name: 'Call', visibility: 'account' } } }))
    .body;
  const created = async () =>
    (await ada.reader.countTasks({ query: { created_before: '2100-01-01T00:00:00Z' } })).body.count.total;
  const periods = [4, 7, 9].map((length) => task.created_at.slice(0, length));
  const written = periods.map((period) => `written:${period}`);
  const both = [...periods.map((period) => `created:${period}`), ...written];
  await forget('tasks', task.id);
  await forget('files', file.id);
  expect([
    await periodsOf(table, 'tasks', task.id),
    await periodsOf(table, 'files', file.id),
    await created(),
  ]).toEqual([[], [], 0]);
  for (let run = 0; run < 2; run++) {
    let cursor: unknown;
    do cursor = await listPeriods.step(table, cursor);
    while (cursor !== undefined);
    expect([
      await periodsOf(table, 'tasks', task.id),
      await periodsOf(table, 'files', file.id),
      await created(),
    ]).toEqual([both, written, 1]);
  }
});
