import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { createImport } from '../../support/imports.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /imports/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const bytes = 'name,email\nAda,\n';

  it('is seen by the user who made it alone, also by no admin', async () => {
    const { ada, grace, hank } = workspace;
    const { id } = await createImport(grace, { bytes });
    for (const { api, reader } of [ada, hank]) {
      const params = { id };
      const of = { params: { import_id: id } };
      const attempts = [
        reader.retrieveImport({ params }),
        reader.listImportRows(of),
        api.applyImport({ ...of, body: {} }),
      ];
      expect(new Set(await Promise.all(attempts.map(codeOf)))).toEqual(new Set(['404 record_not_found']));
      const { records } = (await reader.listImports()).body.collection;
      expect(records.map((each) => each.id)).not.toContain(id);
    }
  });
});
