import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenGroup, groupsOf } from '../../support/groups.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /groups/{group_id}/memberships/{user_id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const remove = (group_id: string, user: TestUser, by: TestUser = workspace.grace) =>
    by.api.deleteMembership({ params: { group_id, user_id: user.user.id } });

  it('204: by the creator, by an admin, and by the member', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(grace, [ada, grace, linus]);
    expect((await remove(group.id, grace, ada)).status).toBe(204);
    expect((await remove(group.id, linus, linus)).status).toBe(204);
    expect(await groupsOf(linus)).toEqual([]);
    expect((await remove(group.id, ada, grace)).status).toBe(204);
    const { body } = await linus.reader.retrieveGroup({ params: { id: group.id } });
    expect(body.group).toMatchObject({ user_ids: [], users: [], member: false });
    expect(body.group.updated_at).not.toBeNull();
  });

  it('leaves other groups of the user as they are', async () => {
    const { grace, linus } = workspace;
    const [one, two] = [await givenGroup(grace, [linus]), await givenGroup(grace, [linus])];
    await remove(one.id, linus);
    expect(await groupsOf(linus)).toEqual([two.id]);
    await remove(two.id, linus);
  });

  it('403: somebody else, by a user who did not create the group', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(grace, [ada, linus]);
    expect(await codeOf(remove(group.id, ada, linus))).toBe('403 permission_denied');
  });

  it('404: a user who is not in the group, the second time, and for any caller', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(grace, [linus]);
    expect(await codeOf(remove(group.id, ada))).toBe('404 record_not_found');
    expect(await codeOf(remove(group.id, ada, linus))).toBe('404 record_not_found');
    await remove(group.id, linus);
    expect(await codeOf(remove(group.id, linus))).toBe('404 record_not_found');
    expect(await codeOf(remove(randomUUID(), linus))).toBe('404 record_not_found');
    expect(await codeOf(remove(group.id, linus, workspace.hank))).toBe('404 record_not_found');
  });

  it('a user who joins again has a new membership', async () => {
    const { ada, grace } = workspace;
    const group = await givenGroup(grace);
    const join = async () => {
      const call = { params: { group_id: group.id }, body: { user_id: ada.user.id } };
      return (await grace.api.createMembership(call)).body.membership.id;
    };
    const first = await join();
    await remove(group.id, ada);
    expect(await join()).not.toBe(first);
  });
});
