import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordCount } from '#shared/domain/collaboration/record-lists/limit.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { reduced, STRIDE } from '../../support/long.ts';
import { readSpace, spacesOf } from '../../support/spaces.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /spaces', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada } = workspace);
  });
  afterAll(() => workspace.stop());

  const create = (space: object, user = ada, key?: string) =>
    user.api.createSpace({
      body: { space } as never,
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    });
  const names = async (user: TestUser) => (await spacesOf(user)).map(({ name }) => name);
  const givenTag = async (user: TestUser) =>
    (await user.api.createTag({ body: { tag: { name: randomUUID() } } })).body.tag.id;

  it('201: what was sent, of the key’s user', async () => {
    const tags = [await givenTag(ada), await givenTag(ada)];
    const { status, body } = await create({
      name: ' Yards ',
      description: ' That <b>we</b> supply\n',
      color: '#00FF7f',
      icon: ' ⛴️ ',
      kind: 'tags',
      tag_ids: [tags[0], tags[1]?.toUpperCase(), tags[0]],
      tag_operator: 'all',
      visibility: 'private',
      archived: true,
    });
    expect(status).toBe(201);
    expect(body.space).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: ada.user.id,
      name: 'Yards',
      description: ' That <b>we</b> supply\n',
      color: '#00FF7f',
      icon: '⛴️',
      kind: 'tags',
      contact_ids: [],
      organization_ids: [],
      tag_ids: tags,
      tag_operator: 'all',
      visibility: 'private',
      archived: true,
      thread_count: null,
      open_task_count: 0,
      shares: [],
      comments: [],
      tasks: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    });
    expect(await readSpace(ada, body.space.id)).toEqual({ ...body.space, thread_count: 0 });
    expect(await names(workspace.grace)).not.toContain('Yards');
  });

  it('201: only name and kind are needed; every user sees it', async () => {
    const { space } = (await create({ name: 'Bare', kind: 'records', shape: 'round' })).body;
    expect(space).toMatchObject({
      ...{ description: null, color: null, icon: null, tag_ids: [], tag_operator: 'any' },
      ...{ visibility: 'account', archived: false, thread_count: 0 },
    });
    expect(await readSpace(workspace.grace, space.id)).toEqual(space);
    expect(await names(workspace.hank)).toEqual([]);
  });

  it('404: a tag that does not exist, was deleted or is of another account', async () => {
    const gone = await givenTag(ada);
    await ada.api.deleteTag({ params: { id: gone } });
    for (const tag of [randomUUID(), gone, await givenTag(workspace.hank)])
      expect(await codeOf(create({ name: 'Nowhere', kind: 'tags', tag_ids: [tag] }))).toBe(
        '404 record_not_found',
      );
    expect(await names(ada)).not.toContain('Nowhere');
  });

  it.each<[string, object, Record<string, string>]>([
    ['no name', { name: undefined }, { name: 'required' }],
    ['null for the name', { name: null }, { name: 'required' }],
    ['an empty name', { name: ' ' }, { name: 'required' }],
    ['a name of 256', { name: 'a'.repeat(256) }, { name: 'too_long' }],
    ['no kind', { kind: undefined }, { kind: 'required' }],
    ['null for the kind', { kind: null }, { kind: 'required' }],
    ['an unknown kind', { kind: 'people' }, { kind: 'invalid' }],
    ['a long description', { description: 'a'.repeat(20_001) }, { description: 'too_long' }],
    ['no color', { color: 'red' }, { color: 'invalid_format' }],
    ['a long icon', { icon: 'a'.repeat(65) }, { icon: 'too_long' }],
    ['null for the tags', { kind: 'tags', tag_ids: null }, { tag_ids: 'invalid' }],
    ['no UUID', { kind: 'tags', tag_ids: ['x'] }, { 'tag_ids.0': 'invalid_format' }],
    ['51 tags', { kind: 'tags', tag_ids: Array(51).fill(randomUUID()) }, { tag_ids: 'too_long' }],
    ['tags for the kind records', { tag_ids: [randomUUID()] }, { tag_ids: 'invalid' }],
    ['an unknown operator', { tag_operator: 'none' }, { tag_operator: 'invalid' }],
    ['a visibility of tasks', { visibility: 'linked' }, { visibility: 'invalid' }],
    ['a word for archived', { archived: 'yes' }, { archived: 'invalid' }],
    [
      'what the service sets',
      { ...{ contact_ids: [], organization_ids: [], thread_count: 1, open_task_count: 1 }, comments: [] },
      {
        ...{ contact_ids: 'not_allowed', organization_ids: 'not_allowed', thread_count: 'not_allowed' },
        ...{ open_task_count: 'not_allowed', comments: 'not_allowed' },
      },
    ],
  ])('400: %s', async (_, sent, problems) => {
    expect(await problemsOf(create({ name: 'Bad', kind: 'records', ...sent }))).toEqual(problems);
    expect(await names(ada)).not.toContain('Bad');
  });

  it('400: without the wrapper', async () => {
    const bare = ada.api.createSpace({ body: { name: 'Bare', kind: 'records' } as never });
    expect(await problemsOf(bare)).toEqual({ space: 'required' });
  });

  it('with an Idempotency-Key, a repeat gets the first response, however large, and creates nothing', async () => {
    const key = randomUUID();
    const large = { name: '\u{1F6A2}'.repeat(255), description: '\u0001'.repeat(20_000), kind: 'records' };
    const first = await create(large, ada, key);
    const again = await create({ name: 'Other', kind: 'tags' }, ada, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const copies = (await names(ada)).filter((name) => name === large.name || name === 'Other');
    expect(copies).toEqual([large.name]);
  });

  it('400: an account has at most 500; one that is deleted makes room, for one of many at once', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    const { id } = (await create({ name: 'First', kind: 'records' }, owner)).body.space;
    const key = keys.recordCount(owner.user.account_id, 'spaces');
    await workspace.table.update<RecordCount>(key, { set: { record_count: 500 } });
    const one = { name: 'One too many', kind: 'records' };
    expect(await problemsOf(create(one, owner))).toEqual({ space: 'invalid' });
    await owner.api.deleteSpace({ params: { id } });
    const made = await Promise.all(
      Array.from({ length: reduced(12) }, () => create(one, owner).catch(({ fields }) => fields.space.code)),
    );
    expect(made.filter((each) => each !== 'invalid')).toHaveLength(1);
    expect(await names(owner)).toHaveLength(1);
  });

  it('is there once or not at all, whichever call fails, and a repeat with the key makes one', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    const tag = await givenTag(owner);
    let wanted = 0;
    for (let nth = 0, hit = true; hit; nth += STRIDE) {
      const draft = { name: `Faulty ${nth}`, kind: 'tags', tag_ids: [tag] };
      const key = randomUUID();
      const fault = failNth(workspace.table, nth);
      await create(draft, owner, key).catch(({ status }) => expect(status).toBe(500));
      fault.remove();
      hit = fault.hit;
      // The key may be claimed until its lease ends.
      workspace.setTime(new Date(Date.now() + 60_000 * ++wanted));
      await create(draft, owner, key);
      expect((await names(owner)).filter((name) => name === draft.name)).toEqual([draft.name]);
      const count = await workspace.table.get(keys.recordCount(owner.user.account_id, 'spaces'));
      expect(count).toMatchObject({ record_count: wanted });
    }
    workspace.setTime(undefined);
    expect(wanted).toBeGreaterThan(9 / STRIDE);
  });
});
