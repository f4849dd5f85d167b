import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall, meanwhile } from '../../support/faults.ts';
import { givenGroup, groupsOf } from '../../support/groups.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /groups/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const update = (id: string, group: unknown, user = grace) =>
    user.api.updateGroup({ params: { id }, body: { group } as never });
  const read = async (id: string) => (await ada.reader.retrieveGroup({ params: { id } })).body.group;

  it('200: unsent fields stay, null clears, and updated_at is set', async () => {
    const group = await givenGroup(grace, [ada]);
    const sent = { name: 'Everything', description: 'What', color: '#2F6FED', user_ids: [linus.user.id] };
    const { status, body } = await update(group.id, sent);
    expect(status).toBe(200);
    expect(body.group).toMatchObject({ ...sent, id: group.id, user_id: grace.user.id });
    expect(body.group.updated_at).not.toBeNull();
    expect((await update(group.id, { description: null })).body.group).toMatchObject({
      ...sent,
      description: null,
    });
    expect((await update(group.id, { color: null })).body.group.color).toBeNull();
    expect(await read(group.id)).toMatchObject({ name: 'Everything', user_ids: [linus.user.id] });
  });

  it('200: nothing sent changes nothing', async () => {
    const group = await givenGroup(grace, [grace]);
    expect((await update(group.id, {})).body.group).toEqual(group);
  });

  it('200: user_ids replaces all users; those who stay keep the membership', async () => {
    const group = await givenGroup(grace, [ada, grace]);
    const membership = async () => {
      const call = { params: { group_id: group.id }, body: { user_id: grace.user.id } };
      return (await grace.api.createMembership(call)).body.membership;
    };
    const before = await membership();
    const { body } = await update(group.id, { user_ids: [grace.user.id, linus.user.id] });
    expect(body.group.user_ids).toEqual([grace.user.id, linus.user.id]);
    expect(await membership()).toEqual(before);
    expect(await groupsOf(ada)).not.toContain(group.id);
    expect(await groupsOf(linus)).toContain(group.id);
    expect((await update(group.id, { user_ids: [] })).body.group.users).toEqual([]);
    expect(await groupsOf(linus)).not.toContain(group.id);
  });

  it('its old name is free again, and a change of case is no conflict', async () => {
    const group = await givenGroup(grace, [], 'Old name');
    expect((await update(group.id, { name: 'OLD NAME' })).body.group.name).toBe('OLD NAME');
    await update(group.id, { name: 'New name' });
    expect((await givenGroup(ada, [], 'old name')).name).toBe('old name');
    expect(await codeOf(update(group.id, { name: 'Old Name' }))).toBe('409 group_name_taken');
  });

  it('409 group_name_taken, and nothing is changed', async () => {
    await givenGroup(ada, [], 'Held');
    const group = await givenGroup(grace, [grace]);
    const failure = await failureOf(update(group.id, { name: ' held', user_ids: [] }));
    expect([failure.code, failure.fields.name?.code]).toEqual(['group_name_taken', 'taken']);
    expect(await read(group.id)).toMatchObject({ name: group.name, user_ids: [grace.user.id] });
    expect(await groupsOf(grace)).toContain(group.id);
  });

  it('403 for a user who did not create it, even a member; admins may', async () => {
    const group = await givenGroup(grace, [linus]);
    expect(await codeOf(update(group.id, { name: 'Mine' }, linus))).toBe('403 permission_denied');
    expect((await update(group.id, { color: '#000000' }, ada)).body.group.color).toBe('#000000');
  });

  it('404: an unknown group, one of another account, or a user of another account', async () => {
    const group = await givenGroup(grace, [grace]);
    const foreign = await givenGroup(workspace.hank);
    for (const id of [foreign.id, randomUUID()])
      expect(await codeOf(update(id, { name: 'X' }))).toBe('404 record_not_found');
    for (const id of [workspace.hank.user.id, randomUUID()])
      for (const user of [grace, linus])
        expect(await codeOf(update(group.id, { user_ids: [id] }, user))).toBe('404 record_not_found');
    expect((await read(group.id)).user_ids).toEqual([grace.user.id]);
  });

  it.each([
    ['an empty name', { name: ' ' }, { name: 'required' }],
    ['null for the name', { name: null }, { name: 'invalid' }],
    ['null for the users', { user_ids: null }, { user_ids: 'invalid' }],
    ['a wrong color', { color: '#12' }, { color: 'invalid_format' }],
    [
      'what the service sets',
      { id: 'x', user_id: null, users: [], member: true, created_at: 1, updated_at: {} },
      {
        id: 'not_allowed',
        user_id: 'not_allowed',
        users: 'not_allowed',
        member: 'not_allowed',
        created_at: 'not_allowed',
        updated_at: 'not_allowed',
      },
    ],
  ])('400: %s', async (_, changes, problems) => {
    const group = await givenGroup(grace);
    expect(await problemsOf(update(group.id, changes))).toEqual(problems);
  });

  it('400: without the wrapper; unknown keys are ignored', async () => {
    const group = await givenGroup(grace);
    const bare = grace.api.updateGroup({ params: { id: group.id }, body: { name: 'X' } as never });
    expect(await problemsOf(bare)).toEqual({ group: 'required' });
    expect((await update(group.id, { shape: 'round' })).body.group).toEqual(group);
  });

  longIt('replaces up to 90 users, and returns 400 too_long for more', async () => {
    const users = await givenAccount(workspace, 100);
    const [owner] = users as [TestUser];
    const ids = users.map(({ user }) => user.id);
    const group = await givenGroup(owner, users.slice(0, 50));
    const replace = (user_ids: string[]) => update(group.id, { user_ids }, owner);
    expect(await problemsOf(replace(ids.slice(50)))).toEqual({ user_ids: 'too_long' });
    const half = (await replace(ids.slice(5, 90))).body.group;
    expect(new Set(half.user_ids)).toEqual(new Set(ids.slice(5, 90)));
    const after = (await replace(ids.slice(85))).body.group;
    expect(new Set(after.user_ids)).toEqual(new Set(ids.slice(85)));
    expect(await groupsOf(users[4] as TestUser)).toEqual([]);
    expect(await groupsOf(users[95] as TestUser)).toEqual([group.id]);
  });

  longIt('two concurrent renames leave one name, and only that one is taken', async () => {
    for (let round = 0; round < 5; round++) {
      const group = await givenGroup(grace, [], `Round ${round}`);
      const names = ['A', 'B', 'C'].map((letter) => `Round ${round} ${letter}`);
      await Promise.all(names.map((name) => update(group.id, { name })));
      const { name } = await read(group.id);
      expect(names).toContain(name);
      for (const free of [`Round ${round}`, ...names].filter((each) => each !== name))
        await givenGroup(ada, [], free);
      expect(await codeOf(ada.api.createGroup({ body: { group: { name } } }))).toBe('409 group_name_taken');
    }
  });

  it('one of two groups gets a name that both request at once', async () => {
    const groups = [await givenGroup(grace), await givenGroup(grace)];
    const responses = await Promise.allSettled(groups.map(({ id }) => update(id, { name: 'Wanted' })));
    const statuses = responses.map((each) => (each.status === 'fulfilled' ? 200 : each.reason.status));
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it('a user who joins meanwhile is replaced with the others, and stays after a rename', async () => {
    const group = await givenGroup(grace, [ada]);
    const call = { params: { group_id: group.id }, body: { user_id: linus.user.id } };
    const joining = () =>
      meanwhile(workspace.table, 'TransactWriteItemsCommand', () => grace.api.createMembership(call));
    for (const [changes, stays] of [
      [{ user_ids: [grace.user.id] }, false],
      [{ name: 'Joined meanwhile' }, true],
    ] as const) {
      const join = joining();
      const { body } = await update(group.id, changes);
      join.remove();
      expect(join.hit).toBe(true);
      expect(body.group.user_ids.includes(linus.user.id)).toBe(stays);
      expect((await groupsOf(linus)).includes(group.id)).toBe(stays);
      expect((await read(group.id)).users).toEqual(body.group.users);
    }
  });

  it('a concurrent rename and replacement of users are both done', async () => {
    const group = await givenGroup(grace, [ada]);
    await Promise.all([
      update(group.id, { name: 'Renamed meanwhile' }),
      update(group.id, { user_ids: [linus.user.id] }),
    ]);
    expect(await read(group.id)).toMatchObject({ name: 'Renamed meanwhile', user_ids: [linus.user.id] });
  });

  it('group and users agree, whichever call fails, and a retry changes both', async () => {
    const group = await givenGroup(grace, [ada], 'Faulty');
    for (let call = 1; call <= 7; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        await update(group.id, { name: 'Faulty', user_ids: [ada.user.id] });
        const changed = { name: `Faulty ${call} ${when}`, user_ids: [linus.user.id] };
        const fault = failCall(workspace.table, call, when);
        await update(group.id, changed).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        const { name, user_ids } = await read(group.id);
        const done = name === changed.name;
        expect(user_ids).toEqual([done ? linus.user.id : ada.user.id]);
        expect((await groupsOf(linus)).includes(group.id)).toBe(done);
        expect((await groupsOf(ada)).includes(group.id)).toBe(!done);
        expect((await update(group.id, changed)).body.group).toMatchObject(changed);
      }
  });
});
