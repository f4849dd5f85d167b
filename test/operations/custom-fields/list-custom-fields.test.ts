import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { givenField } from '../../support/custom-fields.ts';
import { problemsOf } from '../../support/failures.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /custom_fields', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: all users see them, by type and position, or those of one type; nobody sees those of others', async () => {
    const [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const deal = await givenField(owner, 'd', { record_type: 'deals' });
    const second = await givenField(owner, 'b');
    const first = await givenField(owner, 'a', { position: 0 });
    const listed = async (user: TestUser, query = {}) =>
      (await user.reader.listCustomFields({ query })).body.custom_fields;
    expect(await listed(member)).toEqual([first, { ...second, position: 1 }, deal]);
    expect(await listed(member, { record_type: 'deals' })).toEqual([deal]);
    expect(await listed(member, { record_type: 'organizations' })).toEqual([]);
    expect(await listed(workspace.hank)).toEqual([]);
    const trips = await countRequestTrips(workspace, member, () => listed(member));
    expect(trips.depth).toBeLessThanOrEqual(3);
  });

  it('400 for a type without custom fields', async () => {
    const query = { record_type: 'tasks' };
    expect(await problemsOf(workspace.ada.reader.listCustomFields({ query }))).toEqual({
      record_type: 'invalid',
    });
  });
});
