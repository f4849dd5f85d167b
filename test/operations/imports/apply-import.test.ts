import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { createImport, retrieveImport, rowsOf, runImports } from '../../support/imports.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('POST /imports/{import_id}/apply', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  it('is applied once it was tried, by one of several requests', async () => {
    const { ada } = workspace;
    const { id } = await createImport(ada, { bytes: 'name,notes\nOnce,n\n' });
    const apply = () =>
      ada.api.applyImport({ params: { import_id: id }, body: { import: { mapping: { notes: null } } } });
    expect(await codeOf(apply())).toBe('422 import_not_ready');
    await runImports(workspace);
    const all = await Promise.all([1, 2, 3].map(() => codeOf(apply()).catch(() => 'accepted')));
    expect(all.filter((code) => code === '422 import_not_ready')).toHaveLength(2);
    await runImports(workspace);
    const [row] = await rowsOf(ada, id);
    const { contact } = (await ada.reader.retrieveContact({ params: { id: `${row?.record_id}` } })).body;
    expect(contact).toMatchObject({ name: 'Once', description: null });
    expect(await codeOf(apply())).toBe('422 import_not_ready');
    expect(await retrieveImport(ada, id)).toMatchObject({ status: 'complete', rows_created: 1 });
  });
});
