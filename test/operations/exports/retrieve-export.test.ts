import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exportFile } from '../../support/exports.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /exports/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  it('has no link after seven days', async () => {
    const { export: done } = await exportFile(workspace, workspace.ada, {
      record_type: 'deals',
      format: 'csv',
      filters: {},
    });
    workspace.setTime(new Date(Date.now() + 7 * 86_400_000 + 60_000));
    const { body } = await workspace.ada.reader.retrieveExport({ params: { id: done.id } });
    expect(body.export).toMatchObject({ status: 'complete', url: null, url_expires_at: null });
    workspace.setTime(undefined);
  });
});
