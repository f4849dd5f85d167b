import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { importFile, rowsOf } from '../../support/imports.ts';
import { longIt } from '../../support/long.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /imports/{import_id}/rows', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  longIt('200: the rows in the order of the file, page by page; failed ones alone as well', async () => {
    const lines = Array.from({ length: 130 }, (_, i) => (i % 50 === 7 ? ',none' : `Row ${i},`));
    const bytes = `name,external_id\n${lines.join('\n')}\n`;
    const tried = await importFile(
      workspace,
      workspace.ada,
      { bytes },
      { dry_run: true, record_type: 'tasks' },
    );
    expect(tried.rows.map(({ number }) => number)).toEqual(lines.map((_, i) => i + 1));
    for (const limit of [1, 60, 129, 130, 500])
      expect(await rowsOf(workspace.ada, tried.import.id, { limit })).toEqual(tried.rows);
    const failed = await rowsOf(workspace.ada, tried.import.id, { failed: 'true', limit: 2 });
    expect(failed).toEqual(tried.rows.filter(({ status }) => status === 'failed'));
    expect(failed.map(({ number }) => number)).toEqual([8, 58, 108]);
  });

  it('400: for a cursor of another import or filter; 404 for an unknown import', async () => {
    const { ada } = workspace;
    const one = await importFile(workspace, ada, { bytes: 'name\nA\nB\n' }, { dry_run: true });
    const other = await importFile(workspace, ada, { bytes: 'name\nA\nB\n' }, { dry_run: true });
    const list = (import_id: string, query: object) =>
      ada.reader.listImportRows({ params: { import_id }, query });
    const { next_cursor } = (await list(one.import.id, { limit: 1 })).body.collection.page_info;
    expect(await codeOf(list(other.import.id, { next_cursor }))).toBe('400 invalid_cursor');
    expect(await codeOf(list(one.import.id, { next_cursor, failed: 'true' }))).toBe('400 invalid_cursor');
    expect(await codeOf(list(ada.user.id, {}))).toBe('404 record_not_found');
    const { calls } = await countRequestTrips(workspace, workspace.ada, () =>
      list(one.import.id, { next_cursor }),
    );
    expect(calls.length).toBeLessThanOrEqual(6);
  });
});
