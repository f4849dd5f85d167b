import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { bringing, givenCopies, givenField, keepers, options } from '../../support/custom-fields.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { reduced, STRIDE } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /custom_fields', () => {
  let workspace: Workspace;
  let owner: TestUser;
  let member: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [owner, member] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  });
  afterAll(() => workspace.stop());

  const base = { record_type: 'contacts', key: 'any', name: 'Any', type: 'text' };
  const create = (custom_field: object, { api }: TestUser = owner, key?: string) =>
    api.createCustomField({
      body: { custom_field } as never,
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    });

  it('201: the definition with what is not said', async () => {
    const { status, body } = await create({ ...base, key: 'customer_number', name: ' Customer number ' });
    expect(status).toBe(201);
    expect(body.custom_field).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: owner.user.id,
      ...{ record_type: 'contacts', key: 'customer_number', name: 'Customer number', type: 'text' },
      ...{ options: [], required: false, unique: false, indexed: false, status: 'ready', position: 0 },
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    });
    expect(await bringing(workspace, owner.user.account_id)).toEqual([]);
  });

  it('201: options are called by their values unless they have names', async () => {
    const sent = [{ value: 'emea', name: 'Europe and Africa' }, { value: 'apac' }];
    for (const type of ['select', 'multi_select']) {
      const { custom_field } = (await create({ ...base, key: type, type, options: sent })).body;
      expect(custom_field.options).toEqual([sent[0], { value: 'apac', name: 'apac' }]);
    }
  });

  it.each([
    [{ indexed: true }, 'indexing'],
    [{ unique: true }, 'indexing'],
    [{ required: true }, 'ready'],
  ])('201: with %o it is %s', async (fields, status) => {
    const { custom_field } = (await create({ ...base, key: JSON.stringify(fields), ...fields })).body;
    expect(custom_field).toMatchObject({ ...fields, status });
  });

  it('201: where it is said, or last', async () => {
    for (const [key, position] of [['b'], ['a', 0], ['d', 99], ['c', 2]] as const)
      await create({
        ...base,
        record_type: 'organizations',
        key,
        ...(position === undefined ? {} : { position }),
      });
    const { body } = await owner.reader.listCustomFields({ query: { record_type: 'organizations' } });
    expect(body.custom_fields.map(({ key, position }) => `${position} ${key}`)).toEqual([
      '0 a',
      '1 b',
      '2 c',
      '3 d',
    ]);
  });

  it.each([
    [{ key: undefined }, { key: 'required' }],
    [{ key: ' ' }, { key: 'required' }],
    [{ key: 'a\nb' }, { key: 'invalid_format' }],
    [{ key: '__proto__' }, { key: 'invalid' }],
    [{ name: undefined }, { name: 'required' }],
    [{ record_type: 'tasks' }, { record_type: 'invalid' }],
    [{ type: 'money' }, { type: 'invalid' }],
    [{ options: options('a') }, { options: 'invalid' }],
    [{ type: 'select' }, { options: 'required' }],
    [{ type: 'multi_select', options: [] }, { options: 'required' }],
    [{ type: 'select', options: options('a', 'b', 'a') }, { 'options.2.value': 'taken' }],
    [{ type: 'select', options: options('a,b') }, { 'options.0.value': 'invalid_format' }],
    [{ type: 'select', options: options('') }, { 'options.0.value': 'required' }],
    [
      { type: 'select', options: Array.from({ length: 101 }, (_, i) => ({ value: `${i}` })) },
      { options: 'too_long' },
    ],
    [{ type: 'boolean', unique: true }, { unique: 'invalid' }],
    [{ type: 'select', options: options('a'), unique: true }, { unique: 'invalid' }],
    [{ required: 'yes' }, { required: 'invalid' }],
    [{ position: -1 }, { position: 'invalid' }],
    [
      { id: 'x', status: 'ready' },
      { id: 'not_allowed', status: 'not_allowed' },
    ],
  ])('400: %j', async (fields, problems) => {
    expect(await problemsOf(create({ ...base, ...fields }))).toEqual(problems);
  });

  it('400 for a key of more than 255 characters', async () => {
    expect(await problemsOf(create({ ...base, key: 'k'.repeat(256) }))).toEqual({ key: 'too_long' });
    expect((await create({ ...base, key: 'k'.repeat(255) })).status).toBe(201);
  });

  it('403 for members, 409 for a key of the type that is taken; another type and account may have it', async () => {
    await givenField(owner, 'constructor');
    expect(await codeOf(create({ ...base, key: 'other' }, member))).toBe('403 permission_denied');
    const failure = await failureOf(create({ ...base, key: 'constructor' }));
    expect([failure.status, failure.code]).toEqual([409, 'custom_field_key_taken']);
    expect(failure.fields).toMatchObject({ key: { code: 'taken' } });
    expect((await create({ ...base, key: 'constructor', record_type: 'deals' })).status).toBe(201);
    expect((await create({ ...base, key: 'constructor' }, workspace.hank)).status).toBe(201);
  });

  it('of many at once with one key, one is created; a replay is the same', async () => {
    const tries = Array.from({ length: reduced(40) }, () =>
      create({ ...base, key: 'raced' }).then(
        ({ status }) => `${status}`,
        ({ status }: { status: number }) => `${status}`,
      ),
    );
    const statuses = await Promise.all(tries);
    expect(statuses.filter((status) => status === '201')).toHaveLength(1);
    expect(new Set(statuses)).toEqual(new Set(['201', '409']));
    const first = await create({ ...base, key: 'once' }, owner, 'k1');
    expect((await create({ ...base, key: 'twice' }, owner, 'k1')).body).toEqual(first.body);
  });

  it('400 for more than 50 definitions, 10 indexed and 5 unique ones', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const problemOf = (fields: object) => problemsOf(create({ ...base, ...fields }, boss));
    const first = await givenField(boss, 'f0', { indexed: true, unique: true });
    const more = (from: number, to: number) =>
      givenCopies(workspace.table, boss.user.account_id, { from, to });
    expect(first.status).toBe('indexing');
    await more(1, 10);
    expect(await problemOf({ key: 'more', indexed: true })).toEqual({ indexed: 'invalid' });
    expect(await problemOf({ key: 'more', unique: true })).toEqual({ unique: 'invalid' });
    await more(10, 50);
    expect(await problemOf({ key: 'more' })).toEqual({ custom_field: 'invalid' });
    expect((await create({ ...base, record_type: 'deals' }, boss)).status).toBe(201);
  });

  it('400 for definitions of more than 100 KB', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const long = Array.from({ length: 100 }, (_, i) => ({
      value: `${i}`.padEnd(100, 'v'),
      name: 'n'.repeat(255),
    }));
    for (const key of ['a', 'b']) await givenField(boss, key, { type: 'select', options: long });
    expect(await problemsOf(create({ ...base, type: 'select', options: long }, boss))).toEqual({
      options: 'too_long',
    });
  });

  it('is there or not, and its mark with it, whichever call fails', async () => {
    for (let call = 1; ; call += STRIDE) {
      const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
      const fault = failCall(workspace.table, call, 'after');
      const created = await create({ ...base, required: true }, boss).catch(() => undefined);
      const { hit } = fault;
      fault.remove();
      const { custom_fields } = (await boss.reader.listCustomFields()).body;
      const refused = keepers.contacts.create(boss, {}).then(
        () => false,
        () => true,
      );
      expect(await refused).toBe(custom_fields.length === 1);
      if (created) expect(custom_fields).toEqual([created.body.custom_field]);
      if (!hit) break;
      expect(call).toBeLessThan(30);
    }
  });
});
