import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createImport } from '../../support/imports.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /imports', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  const bytes = 'name,email\nAda,\n';

  it('is listed newest first, page by page', async () => {
    const { linus } = workspace;
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) ids.unshift((await createImport(linus, { bytes })).id);
    const list = async (query: object) => (await linus.reader.listImports({ query })).body.collection;
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, next_cursor: first.page_info.next_cursor });
    expect([...first.records, ...second.records].map(({ id }) => id)).toEqual(ids);
    expect(second.page_info.has_more_after).toBe(false);
    const { calls } = await countRequestTrips(workspace, workspace.linus, () => list({}));
    expect(calls.length).toBeLessThanOrEqual(5);
  });
});
