import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { givenGroup, groupsOf } from '../../support/groups.ts';
import { longIt, reduced } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /groups/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const remove = (id: string, user: TestUser = workspace.grace) => user.api.deleteGroup({ params: { id } });
  const status = (call: Promise<{ status: number }>) =>
    call.then(
      (response) => response.status,
      (error) => error.status as number,
    );

  it('204: removes the group from its users, and frees its name', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(grace, [ada, linus], 'Gone');
    const other = await givenGroup(grace, [linus]);
    expect((await remove(group.id)).status).toBe(204);
    expect(await codeOf(grace.reader.retrieveGroup({ params: { id: group.id } }))).toBe(
      '404 record_not_found',
    );
    expect(await groupsOf(ada)).toEqual([]);
    expect(await groupsOf(linus)).toEqual([other.id]);
    expect((await givenGroup(ada, [], 'Gone')).id).not.toBe(group.id);
  });

  it('404 the second time', async () => {
    const { id } = await givenGroup(workspace.grace);
    await remove(id);
    expect(await codeOf(remove(id))).toBe('404 record_not_found');
  });

  it('403 for a user who did not create it, even a member; admins may', async () => {
    const { ada, grace, linus } = workspace;
    const { id } = await givenGroup(grace, [linus]);
    expect(await codeOf(remove(id, linus))).toBe('403 permission_denied');
    expect((await remove(id, ada)).status).toBe(204);
  });

  longIt('204: of 90 users', async () => {
    const users = await givenAccount(workspace, 90);
    const { id } = await givenGroup(users[0] as TestUser, users);
    expect((await remove(id, users[0])).status).toBe(204);
    expect(await groupsOf(users[89] as TestUser)).toEqual([]);
  });

  it('one of ten concurrent requests deletes it, and the others get 404', async () => {
    const { id } = await givenGroup(workspace.grace, [workspace.ada]);
    const responses = await Promise.all(Array.from({ length: 10 }, () => status(remove(id))));
    expect(responses.sort()).toEqual([204, ...Array.from({ length: 9 }, () => 404)]);
  });

  it('removes a user who joins during the deletion', async () => {
    const { grace, linus } = workspace;
    const { id } = await givenGroup(grace);
    const call = { params: { group_id: id }, body: { user_id: linus.user.id } };
    const join = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      grace.api.createMembership(call),
    );
    expect((await remove(id)).status).toBe(204);
    join.remove();
    expect([join.hit, (await groupsOf(linus)).includes(id)]).toEqual([true, false]);
  });

  it('frees a name that it gets during the deletion', async () => {
    const { ada, grace } = workspace;
    const { id } = await givenGroup(grace, [], 'Before');
    const call = { params: { id }, body: { group: { name: 'Meanwhile' } } };
    const rename = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => grace.api.updateGroup(call));
    expect((await remove(id)).status).toBe(204);
    rename.remove();
    for (const name of ['Before', 'Meanwhile']) expect((await givenGroup(ada, [], name)).name).toBe(name);
  });

  longIt('leaves nobody in a deleted group with a concurrent join, rename and leave', async () => {
    const { ada, grace, linus } = workspace;
    for (let round = 0; round < reduced(10); round++) {
      const { id } = await givenGroup(grace, [ada], `Against ${round}`);
      const join = { params: { group_id: id }, body: { user_id: linus.user.id } };
      const leave = { params: { group_id: id, user_id: ada.user.id } };
      const rename = { params: { id }, body: { group: { name: `Against ${round} B` } } };
      const responses = await Promise.all([
        status(remove(id)),
        status(grace.api.createMembership(join)),
        status(ada.api.deleteMembership(leave)),
        status(grace.api.updateGroup(rename)),
      ]);
      expect(responses[0]).toBe(204);
      for (const response of responses.slice(1)) expect([200, 204, 404]).toContain(response);
      for (const user of [ada, linus]) expect(await groupsOf(user)).not.toContain(id);
      for (const name of [`Against ${round}`, `Against ${round} B`])
        await remove((await givenGroup(grace, [], name)).id);
    }
  });
});
