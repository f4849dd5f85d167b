import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall, meanwhile } from '../../support/faults.ts';
import { givenGroup, groupsOf } from '../../support/groups.ts';
import { longIt, reduced, STRIDE } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /groups/{group_id}/memberships', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const join = (group_id: string, user_id: unknown, by: TestUser = workspace.grace) =>
    by.api.createMembership({ params: { group_id }, body: { user_id } as never });
  const usersOf = async (id: string, reader: TestUser = workspace.ada) =>
    (await reader.reader.retrieveGroup({ params: { id } })).body.group.user_ids;

  it('200: the user is in the group', async () => {
    const { grace, linus } = workspace;
    const group = await givenGroup(grace);
    const { status, body } = await join(group.id, linus.user.id.toUpperCase());
    expect(status).toBe(200);
    expect(body.membership).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      group_id: group.id,
      user_id: linus.user.id,
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await usersOf(group.id)).toEqual([linus.user.id]);
    expect(await groupsOf(linus)).toEqual([group.id]);
    const changed = await grace.reader.retrieveGroup({ params: { id: group.id } });
    expect(changed.body.group.updated_at).not.toBeNull();
  });

  it('200: a repeat returns the existing membership', async () => {
    const { ada, grace } = workspace;
    const group = await givenGroup(grace);
    const first = await join(group.id, ada.user.id);
    expect((await join(group.id, ada.user.id)).body).toEqual(first.body);
  });

  it('ten concurrent requests return one membership', async () => {
    const { ada, grace } = workspace;
    const group = await givenGroup(grace);
    const responses = await Promise.all(Array.from({ length: 10 }, () => join(group.id, ada.user.id)));
    expect(new Set(responses.map(({ body }) => body.membership.id)).size).toBe(1);
    expect(await usersOf(group.id)).toEqual([ada.user.id]);
  });

  it('403 for users other than its creator and admins, also to join themselves', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(grace);
    expect(await codeOf(join(group.id, linus.user.id, linus))).toBe('403 permission_denied');
    expect((await join(group.id, linus.user.id, ada)).status).toBe(200);
  });

  it('404: an unknown group, a group of another account, a user of another account', async () => {
    const { grace, hank, ada, linus } = workspace;
    const group = await givenGroup(grace);
    const foreign = await givenGroup(hank);
    for (const id of [foreign.id, randomUUID()])
      expect(await codeOf(join(id, ada.user.id))).toBe('404 record_not_found');
    for (const id of [hank.user.id, randomUUID()])
      for (const by of [grace, linus])
        expect(await codeOf(join(group.id, id, by))).toBe('404 record_not_found');
  });

  it.each([
    ['nothing', undefined, 'required'],
    ['null', null, 'required'],
    ['no UUID', 'x', 'invalid_format'],
    ['a number', 1, 'invalid'],
  ])('400: user_id is %s', async (_, user_id, code) => {
    const group = await givenGroup(workspace.grace);
    expect(await problemsOf(join(group.id, user_id))).toEqual({ user_id: code });
  });

  it('400 not_allowed: another group in the body than in the path', async () => {
    const { ada, grace } = workspace;
    const group = await givenGroup(grace);
    const send = (group_id: string) =>
      grace.api.createMembership({
        params: { group_id: group.id },
        body: { user_id: ada.user.id, group_id } as never,
      });
    expect(await problemsOf(send(randomUUID()))).toEqual({ group_id: 'not_allowed' });
    expect((await send(group.id)).status).toBe(200);
  });

  longIt('400: a group has at most 90 users, also when several join at once', async () => {
    const users = await givenAccount(workspace, 95);
    const [owner] = users as [TestUser];
    const { id } = await givenGroup(owner, users.slice(0, 87));
    const responses = await Promise.allSettled(users.slice(87).map(({ user }) => join(id, user.id, owner)));
    const refused = responses.filter((response) => response.status === 'rejected');
    expect(refused).toHaveLength(5);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ status: 400, fields: { user_id: { code: 'invalid' } } });
    expect(await usersOf(id, owner)).toHaveLength(90);
    expect((await join(id, owner.user.id, owner)).status).toBe(200);
  });

  it('404: the group is deleted meanwhile, and the user is not left in it', async () => {
    const { grace, linus } = workspace;
    const { id } = await givenGroup(grace);
    const deletion = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      grace.api.deleteGroup({ params: { id } }),
    );
    expect(await codeOf(join(id, linus.user.id))).toBe('404 record_not_found');
    deletion.remove();
    expect(await groupsOf(linus)).not.toContain(id);
  });

  it('concurrent joins and leaves keep the group and the user consistent', async () => {
    const { ada, grace, linus } = workspace;
    const group = await givenGroup(grace, [linus]);
    const leave = () =>
      linus.api.deleteMembership({ params: { group_id: group.id, user_id: linus.user.id } });
    for (let round = 0; round < reduced(10); round++) {
      await Promise.allSettled([
        join(group.id, linus.user.id),
        leave(),
        join(group.id, ada.user.id),
        leave(),
      ]);
      const members = await usersOf(group.id);
      expect((await groupsOf(linus)).includes(group.id)).toBe(members.includes(linus.user.id));
      expect(members).toContain(ada.user.id);
    }
  });

  it('group and user agree, whichever call fails, and a retry joins', async () => {
    const { grace, linus } = workspace;
    const group = await givenGroup(grace);
    for (let call = 1; call <= 7; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const fault = failCall(workspace.table, call, when);
        await join(group.id, linus.user.id).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        const members = await usersOf(group.id);
        expect((await groupsOf(linus)).includes(group.id)).toBe(members.includes(linus.user.id));
        expect((await join(group.id, linus.user.id)).status).toBe(200);
        await linus.api.deleteMembership({ params: { group_id: group.id, user_id: linus.user.id } });
      }
  });
});
