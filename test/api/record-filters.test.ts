import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/catalogue.ts';
import { bearer, fieldCodes, raw } from '../support/raw.ts';
import { createRecords } from '../support/records.ts';
import { startWorkspace, type Workspace } from '../support/workspace.ts';

/** Filters that lists of records and their counts have in common (docs/specification/records.md, "Lists of records"). */

const lists = operations
  .map(({ definition: { name, path, query = {} } }) => ({ name, path: path as string, query }))
  .filter(({ query }) => 'created_after' in query);

const early = '2001-01-01T00:00:00Z';
const late = '2101-01-01T00:00:00Z';

describe('filters of lists of records', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ mail: true });
    await createRecords(workspace, workspace.ada);
  });
  afterAll(() => workspace?.stop());

  const get = (path: string, query: Record<string, string>) =>
    raw(workspace.url, {
      path: `${path}?${new URLSearchParams(query)}`,
      headers: [bearer(workspace.ada.read_key)],
    });
  /** Of a list or a count. */
  async function numberOf(path: string, query: Record<string, string>): Promise<number> {
    const { status, json } = await get(path, query);
    expect(status, JSON.stringify(json)).toBe(200);
    const { collection, count } = json as { collection?: { records: object[] }; count?: { total: number } };
    return count?.total ?? collection?.records.length ?? Number.NaN;
  }

  it('by moments are for contacts, deals, files, organizations and tasks', () => {
    const types = ['contacts', 'deals', 'files', 'organizations', 'tasks'];
    expect(lists.map(({ path }) => path).sort()).toEqual(
      types.flatMap((type) => [`/${type}`, `/${type}/count`]),
    );
  });

  describe.each(lists)('$name', ({ path }) => {
    it('by moments, alone and together', async () => {
      const all = await numberOf(path, {});
      expect(all).toBeGreaterThan(0);
      for (const field of ['created', 'updated']) {
        const [after, before] = [`${field}_after`, `${field}_before`];
        expect(await numberOf(path, { [after]: early, [before]: late })).toBe(all);
        expect(await numberOf(path, { [after]: late })).toBe(0);
        expect(await numberOf(path, { [before]: early })).toBe(0);
        // No moment is between these.
        expect(await numberOf(path, { [after]: late, [before]: early })).toBe(0);
        expect(await numberOf(path, { [after]: early, [before]: early })).toBe(0);
      }
      expect(await numberOf(path, { created_after: early, updated_before: late, query: 'nobody' })).toBe(0);
    });

    it.each(['created_after', 'created_before', 'updated_after', 'updated_before'])(
      '400 for a malformed %s',
      async (name) => {
        const answer = await get(path, { [name]: 'yesterday' });
        expect([answer.status, Object.keys(fieldCodes(answer))]).toEqual([400, [name]]);
      },
    );
  });
});
