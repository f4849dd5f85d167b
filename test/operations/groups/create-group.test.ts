import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GroupAccess } from '#shared/domain/identity/users/access.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { givenGroup, groupsOf } from '../../support/groups.ts';
import { longIt, reduced } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /groups', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = (group: unknown, user: TestUser = workspace.grace) =>
    user.api.createGroup({ body: { group } as never });

  it('201: the group with its users, by any user who may write', async () => {
    const { ada, grace } = workspace;
    const { status, body } = await create({
      name: ' Berth office ',
      description: 'Who answers for the piers',
      color: '#2F6FED',
      user_ids: [grace.user.id, ada.user.id],
    });
    expect(status).toBe(201);
    const entry = ({ user }: TestUser) => ({
      id: user.id,
      name: user.name,
      email_address: user.email_address,
      avatar_url: null,
    });
    expect(body.group).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: grace.user.id,
      name: 'Berth office',
      description: 'Who answers for the piers',
      color: '#2F6FED',
      user_ids: [ada.user.id, grace.user.id],
      users: [entry(ada), entry(grace)],
      member: true,
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    });
    for (const user of [ada, grace]) expect(await groupsOf(user)).toContain(body.group.id);
    expect(await groupsOf(workspace.linus)).not.toContain(body.group.id);
  });

  it('201: only the name is needed; its creator is not in it unless sent', async () => {
    const { body } = await create({ name: 'Empty' });
    expect(body.group).toMatchObject({
      description: null,
      color: null,
      user_ids: [],
      users: [],
      member: false,
    });
    expect(await groupsOf(workspace.grace)).not.toContain(body.group.id);
  });

  it('201: a user who is sent twice, in any case, is in it once', async () => {
    const { id } = workspace.ada.user;
    const { body } = await create({ name: 'Twice', user_ids: [id, id.toUpperCase(), id] });
    expect(body.group.user_ids).toEqual([id]);
  });

  it('409 group_name_taken: names are compared without case and white space around them', async () => {
    await create({ name: 'Straße' });
    for (const name of ['Straße', ' STRASSE ', 'straße']) {
      const failure = await failureOf(create({ name }, workspace.ada));
      expect([failure.status, failure.code]).toEqual([409, 'group_name_taken']);
      expect(failure.fields.name?.code).toBe('taken');
    }
  });

  it('another account may use the same name', async () => {
    await create({ name: 'Everywhere' });
    expect((await create({ name: 'Everywhere' }, workspace.hank)).status).toBe(201);
  });

  it('creates one of many concurrent groups with one name', async () => {
    const responses = await Promise.allSettled(
      Array.from({ length: reduced(100) }, () =>
        create({ name: 'Race', user_ids: [workspace.linus.user.id] }),
      ),
    );
    const made = responses.flatMap((response) => (response.status === 'fulfilled' ? [response.value] : []));
    expect(made).toHaveLength(1);
    for (const response of responses)
      if (response.status === 'rejected')
        expect(response.reason).toMatchObject({ status: 409, code: 'group_name_taken' });
    const id = made[0]?.body.group.id as string;
    const { records } = (await workspace.ada.reader.listGroups()).body.collection;
    expect(records.filter(({ name }) => name === 'Race').map((group) => group.id)).toEqual([id]);
    expect(await groupsOf(workspace.linus)).toEqual([id]);
  });

  it('404: user_ids must be users of the account', async () => {
    for (const id of [randomUUID(), workspace.hank.user.id]) {
      const call = create({ name: 'Strangers', user_ids: [workspace.ada.user.id, id] });
      expect(await codeOf(call)).toBe('404 record_not_found');
    }
    expect((await create({ name: 'Strangers' })).status).toBe(201);
  });

  it.each([
    ['no name', {}, { name: 'required' }],
    ['null', { name: null }, { name: 'required' }],
    ['an empty name', { name: '  ' }, { name: 'required' }],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['NUL', { name: 'a\0b' }, { name: 'invalid_format' }],
    ['a long description', { name: 'Bad', description: 'x'.repeat(20_001) }, { description: 'too_long' }],
    ['no color', { name: 'Bad', color: 'red' }, { color: 'invalid_format' }],
    ['no UUID', { name: 'Bad', user_ids: ['x'] }, { 'user_ids.0': 'invalid_format' }],
    ['no array', { name: 'Bad', user_ids: 'x' }, { user_ids: 'invalid' }],
    ['null for the users', { name: 'Bad', user_ids: null }, { user_ids: 'invalid' }],
    [
      '91 users',
      { name: 'Bad', user_ids: Array.from({ length: 91 }, () => randomUUID()) },
      { user_ids: 'too_long' },
    ],
    [
      'all at once',
      { name: 1, color: 2, user_ids: [3] },
      { name: 'invalid', color: 'invalid', 'user_ids.0': 'invalid' },
    ],
  ])('400: %s', async (_, group, problems) => {
    expect(await problemsOf(create(group))).toEqual(problems);
  });

  it('400: without the wrapper', async () => {
    const call = workspace.grace.api.createGroup({ body: { name: 'Bare' } as never });
    expect(await problemsOf(call)).toEqual({ group: 'required' });
  });

  longIt('takes 90 users, a name of 255 and a description of 20,000 characters, with a key', async () => {
    const users = await givenAccount(workspace, 90);
    const group = {
      name: '\u{1F6A2}'.repeat(255),
      description: '\u0001'.repeat(20_000),
      user_ids: users.map(({ user }) => user.id),
    };
    const call = { body: { group }, headers: { 'Idempotency-Key': 'large' } };
    const { body } = await (users[0] as TestUser).api.createGroup(call);
    expect(body.group).toMatchObject({ name: group.name, description: group.description });
    expect(body.group.users).toHaveLength(90);
    expect((await (users[0] as TestUser).api.createGroup(call)).body).toEqual(body);
    for (const user of users.slice(-2)) expect(await groupsOf(user)).toEqual([body.group.id]);
  });

  it('400: an account has at most 500 groups; one that is deleted makes room', async () => {
    const [user] = (await givenAccount(workspace, 1)) as [TestUser];
    const group = await givenGroup(user);
    await workspace.table.update<GroupAccess>(keys.groupAccess(user.user.account_id), {
      set: { group_count: 500 },
    });
    expect(await problemsOf(create({ name: 'One too many' }, user))).toEqual({ group: 'invalid' });
    await user.api.deleteGroup({ params: { id: group.id } });
    expect((await create({ name: 'One too many' }, user)).status).toBe(201);
  });
});
