import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExport } from '../../support/exports.ts';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /exports', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true });
  });
  afterAll(() => workspace?.stop());

  it('is seen by the user who made it alone, and listed newest first', async () => {
    const { ada, grace, hank } = workspace;
    const ids: string[] = [];
    for (let i = 0; i < 3; i++)
      ids.unshift((await createExport(grace, { record_type: 'tasks', format: 'csv', filters: {} })).id);
    for (const { reader } of [ada, hank])
      expect(await codeOf(reader.retrieveExport({ params: { id: ids[0] ?? '' } }))).toBe(
        '404 record_not_found',
      );
    const list = async (query: object) => (await grace.reader.listExports({ query })).body.collection;
    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, next_cursor: first.page_info.next_cursor });
    expect([...first.records, ...second.records].map(({ id }) => id)).toEqual(ids);
  });
});
