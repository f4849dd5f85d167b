import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { changeField, givenField, keepers, options } from '../../../support/custom-fields.ts';
import { codeOf, problemsOf } from '../../../support/failures.ts';
import { long, longIt } from '../../../support/long.ts';
import { accept, givenProposal, undo } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const types = ['contacts', 'organizations', 'deals'] as const;

const defined = {
  ...{ text: {}, number: {}, boolean: {}, date: {} },
  select: { options: options('a', 'b') },
  multi_select: { options: options(...Array.from({ length: 30 }, (_, i) => `o${i}`)) },
};

const fine: Record<string, unknown>[] = [
  { text: 'Any\ntext', number: -1.5e10, boolean: false, date: '2028-02-29', select: 'b', multi_select: [] },
  { multi_select: ['o1', 'o0'], free: 'anything', 'free.too': ['x'], also: true },
  { text: '' },
  { text: null, select: null },
];

const bad: [values: Record<string, unknown>, codes: Record<string, string>][] = [
  [{ text: 1 }, { text: 'invalid' }],
  [{ text: ['a'] }, { text: 'invalid' }],
  [{ number: '1' }, { number: 'invalid' }],
  [{ boolean: 'true' }, { boolean: 'invalid' }],
  [{ date: '2027-02-29' }, { date: 'invalid_format' }],
  [{ date: '29.02.2028' }, { date: 'invalid_format' }],
  [{ date: 20280229 }, { date: 'invalid' }],
  [{ select: 'c' }, { select: 'invalid' }],
  [{ select: ['a'] }, { select: 'invalid' }],
  [{ multi_select: 'o1' }, { multi_select: 'invalid' }],
  [{ multi_select: ['o1', 'x'] }, { 'multi_select.1': 'invalid' }],
  [{ multi_select: ['o1', 'o1'] }, { multi_select: 'invalid' }],
  [{ multi_select: Array.from({ length: 21 }, (_, i) => `o${i}`) }, { multi_select: 'too_long' }],
  [
    { text: 1, number: 'x', select: 'z', free: 1 },
    { text: 'invalid', number: 'invalid', select: 'invalid' },
  ],
];

describe('values of defined custom fields', () => {
  let workspace: Workspace;
  let ada: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [ada] = (await givenAccount(workspace, 1)) as [TestUser];
    for (const record_type of types)
      for (const [type, more] of Object.entries(defined))
        await givenField(ada, type, { record_type, type: type as never, ...more });
  });
  afterAll(() => workspace.stop());

  const asCall = (call: Promise<unknown>) => call.then(() => ({ status: 200 }));
  const named = (codes: Record<string, string>) =>
    Object.fromEntries(Object.entries(codes).map(([key, code]) => [`custom_fields.${key}`, code]));
  const withoutNull = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));

  longIt.each(types)('of %s are as they were sent', async (type) => {
    for (const custom_fields of fine) {
      const made = await keepers[type].create(ada, { custom_fields });
      expect(made.custom_fields).toEqual(withoutNull(custom_fields));
    }
  });

  longIt.each(types)(
    'of %s are checked when records are created and changed, and nothing is written',
    async (type) => {
      const { create, update, upsert, list } = keepers[type];
      const before = { external_id: `of ${type}`, custom_fields: { text: 'before', free: 1 } };
      const { id } = await create(ada, before);
      // The check of all types is one.
      for (const [custom_fields, codes] of type === 'contacts' || long ? bad : bad.slice(-1))
        for (const call of [() => create(ada, { custom_fields }), () => update(ada, id, { custom_fields })])
          expect(await problemsOf(asCall(call())), JSON.stringify(custom_fields)).toEqual(named(codes));
      const [custom_fields, codes] = bad[0] as [object, Record<string, string>];
      for (const external_id of [before.external_id, 'new'])
        expect(await problemsOf(asCall(upsert(ada, { external_id, custom_fields })))).toEqual(named(codes));
      const { records } = await list(ada, { external_id: before.external_id });
      expect(records.map((record) => record.custom_fields)).toEqual([before.custom_fields]);
      expect((await list(ada, { external_id: 'new' })).records).toEqual([]);
    },
  );

  it('of accounts without definitions are free', async () => {
    for (const type of types)
      for (const [custom_fields] of bad.slice(-2))
        expect((await keepers[type].create(workspace.hank, { custom_fields })).custom_fields).toEqual(
          custom_fields,
        );
  });

  longIt(
    'required ones must come with new records, whoever makes them, except those of the service',
    async () => {
      const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
      for (const record_type of types) {
        await givenField(boss, 'must', { record_type, required: true });
        await givenField(boss, 'some', {
          record_type,
          type: 'multi_select',
          options: options('a'),
          required: true,
        });
        const { create, upsert } = keepers[record_type];
        const both = named({ must: 'required', some: 'required' });
        for (const fields of [{}, { custom_fields: null }, { custom_fields: { must: ' ', some: [] } }])
          expect(await problemsOf(asCall(create(boss, fields)))).toEqual(both);
        expect(await problemsOf(asCall(upsert(boss, { external_id: 'x' })))).toEqual(both);
        await create(boss, { custom_fields: { must: 'x', some: ['a'] } });
      }
      const custom_fields = { must: 'x', some: ['a'] };
      const employments = [{ organization: { name: 'Founded' } }];
      const { employments: jobs } = await keepers.contacts.create(boss, { custom_fields, employments });
      expect(jobs[0]?.organization?.name).toBe('Founded');
    },
  );

  it('are checked when they are proposed, and again when the proposal is accepted or undone', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const { id } = await givenField(boss, 'tier', { type: 'select', options: options('gold', 'lead') });
    const contact = await keepers.contacts.create(boss, { custom_fields: { tier: 'lead' } });
    const proposed = (custom_fields: object) => {
      const params = { record_id: contact.id, custom_fields };
      return givenProposal(workspace, boss, { action_type: 'contact.update', params });
    };
    expect(await problemsOf(asCall(proposed({ tier: 'tin' })))).toEqual({
      'params.custom_fields.tier': 'invalid',
    });
    const late = await proposed({ tier: 'gold' });
    const early = await proposed({ tier: 'gold' });
    expect((await accept(boss, early.id)).status).toBe('applied');
    await changeField(boss, id, { options: options('gold') });
    expect(await codeOf(asCall(undo(boss, early.id)))).toBe('422 proposal_not_undoable');
    await changeField(boss, id, { options: options('lead') });
    expect((await undo(boss, early.id)).status).toBe('undone');
    expect(await codeOf(asCall(accept(boss, late.id)))).toMatch(/^4/);
  });

  it('have any key that custom fields have', async () => {
    const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
    const keys = ['constructor', 'toString', 'hasOwnProperty', 'a.b', 'a[b]', '[x]', ' spaced ', 'ключ'];
    for (const key of keys) await givenField(boss, key, { type: 'number' });
    const numbers = Object.fromEntries(keys.map((key, i) => [key, i]));
    expect((await keepers.contacts.create(boss, { custom_fields: numbers })).custom_fields).toEqual(numbers);
    expect((await keepers.contacts.create(boss, {})).custom_fields).toEqual({});
    const texts = Object.fromEntries(keys.map((key) => [key, 'x']));
    expect(await problemsOf(asCall(keepers.contacts.create(boss, { custom_fields: texts })))).toEqual(
      named(Object.fromEntries(keys.map((key) => [key, 'invalid']))),
    );
  });

  it('have 16 KB in all', async () => {
    const text = 'x'.repeat(16 * 1024 - '{"text":""}'.length);
    const made = await keepers.contacts.create(ada, { custom_fields: { text } });
    expect(made.custom_fields).toEqual({ text });
    expect(
      await problemsOf(asCall(keepers.contacts.create(ada, { custom_fields: { text: `${text}x` } }))),
    ).toEqual({
      custom_fields: 'too_long',
    });
  });
});
