import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenGroup } from '../../support/groups.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /groups', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: an empty collection before there is any', async () => {
    const { status, body } = await workspace.ada.reader.listGroups();
    expect(status).toBe(200);
    expect(body.collection).toEqual({ records: [], page: 1, per_page: 0, total_results: 0, pages: 1 });
  });

  it('200: every group of the account with its users, whole and by name, to every user', async () => {
    const { ada, grace, linus, hank } = workspace;
    await givenGroup(hank, [hank], 'Elsewhere');
    const crew = await givenGroup(grace, [grace, linus], 'crew');
    const office = await givenGroup(ada, [], 'Berth office');
    const zeal = await givenGroup(ada, [ada], 'Zeal');
    for (const user of [ada, grace, linus]) {
      const { collection } = (await user.reader.listGroups()).body;
      expect(collection).toMatchObject({ page: 1, per_page: 3, total_results: 3, pages: 1 });
      expect(collection.records.map(({ id }) => id)).toEqual([office.id, crew.id, zeal.id]);
    }
    const { records } = (await linus.reader.listGroups()).body.collection;
    expect(records.map(({ member }) => member)).toEqual([false, true, false]);
    expect(records[1]?.users.map(({ name }) => name)).toEqual([grace.user.name, linus.user.name]);
  });

  it('takes no paging parameter', async () => {
    const response = await fetch(`${workspace.url}/groups?page=2&per_page=1`, {
      headers: { Authorization: `Bearer ${workspace.ada.read_key}` },
    });
    const { collection } = (await response.json()) as { collection: { per_page: number } };
    expect([response.status, collection.per_page]).toEqual([200, 3]);
  });
});
