import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { bringAll, changeField, givenField, keepers, options } from '../../support/custom-fields.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt, reduced } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /custom_fields/{id}', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  const update = (id: string, custom_field: object, { api }: TestUser = owner) =>
    api.updateCustomField({ params: { id }, body: { custom_field } as never });

  it('200: what is sent changes, the rest stays', async () => {
    const before = await givenField(owner, 'region', { type: 'select', options: options('emea', 'apac') });
    const { status, body } = await update(before.id, {
      name: 'Sales region',
      options: options('apac', 'amer'),
    });
    expect(status).toBe(200);
    expect(body.custom_field).toEqual({
      ...before,
      name: 'Sales region',
      options: ['apac', 'amer'].map((value) => ({ value, name: value })),
      updated_at: expect.stringMatching(/Z$/),
    });
    expect((await update(before.id, {})).body.custom_field).toEqual(body.custom_field);
  });

  it('200: a position moves it among those of its type', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const ids = [];
    for (const key of ['a', 'b', 'c']) ids.push((await givenField(boss, key)).id);
    expect((await changeField(boss, ids[2] as string, { position: 0 })).position).toBe(0);
    expect((await changeField(boss, ids[1] as string, { position: 99 })).position).toBe(2);
    const { custom_fields } = (await boss.reader.listCustomFields()).body;
    expect(custom_fields.map(({ key }) => key)).toEqual(['c', 'a', 'b']);
  });

  it.each([
    [{ key: 'x' }, { key: 'not_allowed' }],
    [{ type: 'number' }, { type: 'not_allowed' }],
    [{ record_type: 'deals' }, { record_type: 'not_allowed' }],
    [{ unique: true }, { unique: 'not_allowed' }],
    [{ status: 'ready' }, { status: 'not_allowed' }],
    [{ name: '' }, { name: 'required' }],
    [{ options: options('a') }, { options: 'invalid' }],
    [{ required: null }, { required: 'invalid' }],
  ])('400: %j', async (fields, problems) => {
    const { id } = await givenField(owner, JSON.stringify(fields));
    expect(await problemsOf(update(id, fields))).toEqual(problems);
  });

  it('400 for a selection without options', async () => {
    const { id } = await givenField(owner, 'size', { type: 'select', options: options('s') });
    expect(await problemsOf(update(id, { options: [] }))).toEqual({ options: 'required' });
  });

  it('403 for members, 404 for a definition of another account', async () => {
    const { id } = await givenField(owner, 'secret');
    expect(await codeOf(update(id, { name: 'X' }, member))).toBe('403 permission_denied');
    expect(await codeOf(update(id, { name: 'X' }, workspace.hank))).toBe('404 record_not_found');
  });

  it('records keep a value that is no option any more, until it is written', async () => {
    const { id } = await givenField(owner, 'tier', { type: 'select', options: options('gold', 'lead') });
    const made = await keepers.contacts.create(owner, { custom_fields: { tier: 'lead' } });
    await changeField(owner, id, { options: options('gold') });
    const same = { custom_fields: { tier: 'lead', note: 'kept' } };
    const after = await keepers.contacts.update(owner, made.id, same);
    expect(after.custom_fields).toEqual(same.custom_fields);
    expect(
      await problemsOf(owner.api.createContact({ body: { contact: { name: 'New', ...same } } })),
    ).toEqual({
      'custom_fields.tier': 'invalid',
    });
  });

  it('records without a value that becomes required stay, until that key is written', async () => {
    const { id } = await givenField(owner, 'sector');
    const without = await keepers.contacts.create(owner, {});
    const having = await keepers.contacts.create(owner, { custom_fields: { sector: 'steel' } });
    await changeField(owner, id, { required: true });
    const change = (of: { id: string }, contact: object) =>
      owner.api.updateContact({ params: { id: of.id }, body: { contact } });
    expect((await change(without, { headline: 'Clerk', custom_fields: { other: 1 } })).status).toBe(200);
    expect((await change(without, { custom_fields: { sector: null } })).status).toBe(200);
    const required = { 'custom_fields.sector': 'required' };
    expect(await problemsOf(change(without, { custom_fields: { sector: ' ' } }))).toEqual(required);
    for (const custom_fields of [{ sector: null }, null, { sector: '' }])
      expect(await problemsOf(change(having, { custom_fields }))).toEqual(required);
    expect((await keepers.contacts.update(owner, having.id, {})).custom_fields).toEqual({ sector: 'steel' });
    await changeField(owner, id, { required: false });
    expect((await change(having, { custom_fields: null })).status).toBe(200);
  });

  longIt(
    'an index can be turned off and on again: each time the records from before are brought to it',
    async () => {
      const { id } = await givenField(owner, 'team', { indexed: true });
      await bringAll(workspace, owner);
      const record = await keepers.contacts.create(owner, { custom_fields: { team: 'red' } });
      const found = () => keepers.contacts.list(owner, { custom_fields: { team: 'red' } });
      const ids = async () => (await found()).records.map((each) => each.id);
      expect(await ids()).toEqual([record.id]);
      await changeField(owner, id, { indexed: false });
      expect(await problemsOf(found().then(() => ({ status: 200 })))).toEqual({
        'custom_fields[team]': 'invalid',
      });
      const later = await keepers.contacts.create(owner, { custom_fields: { team: 'red' } });
      expect((await changeField(owner, id, { indexed: true })).status).toBe('indexing');
      expect(await codeOf(found().then(() => ({ status: 200 })))).toBe('422 custom_field_indexing');
      await bringAll(workspace, owner);
      expect((await ids()).sort()).toEqual([record.id, later.id].sort());
    },
  );

  it('of many changes at once none is lost', async () => {
    const { id } = await givenField(owner, 'busy', { type: 'select', options: options('a') });
    const names = Array.from({ length: reduced(20) }, (_, i) => `Name ${i}`);
    await Promise.all([
      ...names.map((name) => changeField(owner, id, { name })),
      changeField(owner, id, { required: true }),
      changeField(owner, id, { options: options('b') }),
    ]);
    const { custom_field } = (await owner.reader.retrieveCustomField({ params: { id } })).body;
    expect(custom_field).toMatchObject({ required: true, options: [{ value: 'b' }] });
    expect(names).toContain(custom_field.name);
    await changeField(owner, id, { required: false });
  });
});
