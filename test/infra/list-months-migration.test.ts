import { afterAll, beforeAll, expect, it } from 'vitest';
import { postingWrites, readEntries } from '#shared/domain/collaboration/record-lists/change.ts';
import { type ListEntry, postingsOf } from '#shared/domain/collaboration/record-lists/entry.ts';
import { keyOf, type RecordType } from '#shared/table/keys.ts';
import { listMonths } from '../../infra/migrations/0012-list-months.ts';
import { givenFile } from '../support/files.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

let workspace: Workspace;
beforeAll(async () => {
  workspace = await startWorkspace({ own_table: true });
});
afterAll(() => workspace.stop());

/** As older code wrote it. */
async function forget(type: RecordType, id: string) {
  const { table } = workspace;
  for (const entry of await readEntries(table, { type, id })) {
    const { months: _, ...before } = entry.listed;
    await table.transact(postingWrites(entry, entry.listed, before));
    await table.put({ ...entry, listed: before } satisfies ListEntry);
  }
}

/** The lists of months and years that have the record. */
async function monthsOf(type: RecordType, id: string): Promise<string[]> {
  const { table } = workspace;
  const entries = await readEntries(table, { type, id });
  const wanted = entries.flatMap((entry) => postingsOf(entry, entry.listed)).map(keyOf);
  const lists = (await table.getMany(wanted)).map(({ PK }) => PK);
  return lists.flatMap((list) => /(?:created|written):[\d-]+$/.exec(list)?.[0] ?? []).sort();
}

it('tasks and files from before are in the lists of their months, however often it runs', async () => {
  const { ada, table } = workspace;
  const file = await givenFile(workspace, ada);
  const { task } = (await ada.api.createTask({ body: { task: { name: 'Call', visibility: 'account' } } }))
    .body;
  const created = async () =>
    (await ada.reader.countTasks({ query: { created_before: '2100-01-01T00:00:00Z' } })).body.count.total;
  const month = task.created_at.slice(0, 7);
  const written = [`written:${month.slice(0, 4)}`, `written:${month}`];
  const both = [`created:${month.slice(0, 4)}`, `created:${month}`, ...written];
  await forget('tasks', task.id);
  await forget('files', file.id);
  expect([await monthsOf('tasks', task.id), await monthsOf('files', file.id), await created()]).toEqual([
    [],
    [],
    0,
  ]);
  for (let run = 0; run < 2; run++) {
    let cursor: unknown;
    do cursor = await listMonths.step(table, cursor);
    while (cursor !== undefined);
    expect([await monthsOf('tasks', task.id), await monthsOf('files', file.id), await created()]).toEqual([
      both,
      written,
      1,
    ]);
  }
});
