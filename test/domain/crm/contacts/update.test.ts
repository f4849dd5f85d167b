import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HeldValue } from '#shared/domain/collaboration/records/holders.ts';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import { contactChanges } from '#shared/domain/crm/contacts/contact.ts';
import { planContactUpdate } from '#shared/domain/crm/contacts/update.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Write } from '#shared/table/table.ts';
import { callerOf } from '../../../support/callers.ts';
import { longIt } from '../../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

describe('changing a contact', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace } = workspace);
  });
  afterAll(() => workspace.stop());

  const given = async (contact: object, user = ada) =>
    (await user.api.createContact({ body: { contact: contact as never } })).body.contact;
  const read = async (id: string, user = ada) =>
    (await user.reader.retrieveContact({ params: { id } })).body.contact;
  const names = async (user = ada) =>
    (await user.reader.listContacts()).body.collection.records.map(({ name }) => name);

  /** Plans a change of the contact, without writing it. */
  async function plan(id: string, changes: object, user = ada, now = new Date()): Promise<Write[]> {
    const ctx = { ...workspace.ctx, caller: await callerOf(workspace.table, user.user), now };
    const planned = await planContactUpdate(ctx, id, contactChanges.parse(changes));
    return (await planned.change()).writes;
  }
  async function change(id: string, changes: object, user = ada): Promise<ContactRecord> {
    await user.api.updateContact({ params: { id }, body: { contact: changes } });
    return read(id, user);
  }
  const holdersOf = async (address: string) => {
    const item = await workspace.table.get<HeldValue>(keys.emailAddress(workspace.account_id, address));
    return item && Object.fromEntries(Object.entries(item.holders).map(([id, { name }]) => [id, name]));
  };
  const problems = (call: Promise<unknown>) =>
    call.then(
      () => 'done',
      ({ code, fields = {} }) =>
        [
          code,
          ...Object.entries(fields).map(([name, field]) => `${name} ${(field as { code: string }).code}`),
        ].join(' '),
    );

  it('sets what is sent, clears what is null, keeps the rest and bumps updated_at', async () => {
    const contact = await given({
      name: 'Plain',
      headline: 'Analyst',
      nickname: 'P',
      birthday: '1990-01-02',
    });
    const sent = {
      headline: 'Engineer',
      nickname: null,
      time_zone: 'Europe/London',
      links: [{ url: 'https://a.example' }],
    };
    const changed = await change(contact.id, sent);
    expect(changed).toMatchObject({
      name: 'Plain',
      headline: 'Engineer',
      nickname: null,
      birthday: '1990-01-02',
      time_zone: 'Europe/London',
      links: [{ url: 'https://a.example/', label: null }],
      created_at: contact.created_at,
      source: contact.source,
    });
    expect(changed.updated_at).not.toBeNull();
  });

  it('writes nothing when nothing would change', async () => {
    const { id } = await given({
      name: 'Same',
      phone_numbers: [{ phone_number: '1' }],
      custom_fields: { a: 1 },
    });
    const sent = { name: 'Same', phone_numbers: [{ phone_number: '1' }], custom_fields: { a: 1, b: null } };
    expect(await plan(id, sent)).toEqual([]);
    expect((await change(id, {})).updated_at).toBeNull();
  });

  it('keeps tags that are put on it at the same time', async () => {
    const { id } = await given({ name: 'Tagged' });
    const writes = await plan(id, { headline: 'X' });
    const params = { record_type: 'contacts' as const, record_id: id };
    await ada.api.applyTag({ params, body: { tag: { name: 'Meanwhile' } } });
    await expect(workspace.table.transact(writes)).rejects.toBeInstanceOf(ConditionFailed);
    await change(id, { headline: 'X' });
    expect(await read(id)).toMatchObject({ headline: 'X', tags: [{ name: 'Meanwhile' }] });
  });

  it('replaces whole lists; an entry that was there keeps its id', async () => {
    const { id, phone_numbers, addresses, employments } = await given({
      name: 'Lists',
      phone_numbers: [{ phone_number: '1' }, { phone_number: '2' }],
      addresses: [{ city: 'Leeds', country: 'GB' }],
      employments: [{ title: 'Analyst', started_on: '2020-01-01' }],
    });
    const changed = await change(id, {
      phone_numbers: [{ phone_number: '2', label: 'home' }, { phone_number: '3' }],
      addresses: [{ city: 'York' }, { city: 'Leeds', country: 'GB', label: 'old' }],
      employments: [{ title: 'Analyst', started_on: '2020-01-01' }],
    });
    expect(changed.phone_numbers).toMatchObject([
      { id: phone_numbers[1]?.id, label: 'home', primary: true },
      { phone_number: '3', primary: false },
    ]);
    expect(changed.phone_numbers.map((each) => each.id)).not.toContain(phone_numbers[0]?.id);
    expect(changed.addresses[1]).toMatchObject({ id: addresses[0]?.id, label: 'old' });
    expect(changed.employments).toEqual(employments);
    expect((await change(id, { phone_numbers: [] })).phone_numbers).toEqual([]);
  });

  it('custom fields: keys that are sent replace, null removes, the others stay', async () => {
    const { id } = await given({ name: 'Custom', custom_fields: { a: 1, b: 'two', c: true } });
    expect((await change(id, { custom_fields: { a: null, b: ['x'], d: 1e300 } })).custom_fields).toEqual({
      b: ['x'],
      c: true,
      d: 1e300,
    });
    const many = Object.fromEntries(Array.from({ length: 48 }, (_, i) => [`k${i}`, i]));
    expect(await problems(plan(id, { custom_fields: many }))).toBe('invalid_request custom_fields too_long');
  });

  it('a name that was computed follows first and last name; one that was given stays', async () => {
    const computed = await given({ first_name: 'Ann', last_name: 'Bell' });
    expect((await change(computed.id, { last_name: 'Cole' })).name).toBe('Ann Cole');
    const chosen = await given({ name: 'The Boss', first_name: 'Ann' });
    expect((await change(chosen.id, { first_name: 'Bo' })).name).toBe('The Boss');
    expect((await change(chosen.id, { name: null })).name).toBe('Bo');
    expect(await problems(plan(chosen.id, { first_name: null }))).toBe('invalid_request name required');
  });

  longIt(
    'a renamed contact has its new place in the list, and its addresses lead to the new name',
    async () => {
      const address = 'rank@x.example';
      const { id } = await given({ name: 'AAA first', email_addresses: [{ email_address: address }] });
      expect((await names())[0]).toBe('AAA first');
      await change(id, { name: 'ZZZ last' });
      expect((await names()).at(-1)).toBe('ZZZ last');
      expect(await holdersOf(address)).toEqual({ [id]: 'ZZZ last' });
    },
  );

  longIt('claims new addresses and releases old ones', async () => {
    const [old, kept, added] = ['old@x.example', 'kept@x.example', 'added@x.example'];
    const sent = (list: string[]) => ({ email_addresses: list.map((email_address) => ({ email_address })) });
    const contact = await given({ name: 'Mail', ...sent([old, kept]) });
    const changed = await change(contact.id, sent([kept, added]));
    expect(changed.email_addresses[0]).toMatchObject({ id: contact.email_addresses[1]?.id, primary: true });
    expect(await holdersOf(old)).toBeUndefined();
    expect(await holdersOf(added)).toEqual({ [contact.id]: 'Mail' });
    const other = await given({ name: 'Other', ...sent([old]) });
    expect(await problems(plan(other.id, sent([added, old])))).toBe(
      'email_address_taken email_addresses.0.email_address taken',
    );
    expect(await holdersOf(old)).toEqual({ [other.id]: 'Other' });
  });

  it('accepts an address of a hidden contact, which keeps it when this one releases it', async () => {
    const address = { email_addresses: [{ email_address: 'both@x.example' }] };
    const hidden = await given({ name: 'Hidden', visibility: 'private', ...address }, grace);
    const own = await given({ name: 'Own' });
    await change(own.id, address);
    expect(await holdersOf('both@x.example')).toEqual({ [hidden.id]: 'Hidden', [own.id]: 'Own' });
    await change(own.id, { email_addresses: [] });
    expect(await holdersOf('both@x.example')).toEqual({ [hidden.id]: 'Hidden' });
  });

  it('external ids are unique: the new one is claimed, the old one is free again', async () => {
    const first = await given({ name: 'First', external_id: 'one' });
    await change(first.id, { external_id: 'two' });
    const second = await given({ name: 'Second', external_id: 'one' });
    expect(await problems(change(second.id, { external_id: 'two' }))).toBe(
      'external_id_taken external_id taken',
    );
    expect((await change(first.id, { external_id: null })).external_id).toBeNull();
    expect((await change(second.id, { external_id: 'two' })).external_id).toBe('two');
  });

  it('a private contact is in its owner’s list alone, and its addresses are hidden', async () => {
    const address = 'private@x.example';
    const { id } = await given(
      { name: 'Goes private', email_addresses: [{ email_address: address }] },
      grace,
    );
    expect(await names()).toContain('Goes private');
    await change(id, { visibility: 'private' }, grace);
    expect(await names()).not.toContain('Goes private');
    expect(await names(grace)).toContain('Goes private');
    const own = await given({ name: 'May have it', email_addresses: [{ email_address: address }] });
    expect(own.email_addresses).toHaveLength(1);
  });

  it('of two changes at once the second fails, even in the same millisecond', async () => {
    const { id } = await given({ name: 'Raced' });
    const now = new Date();
    for (const headline of ['A', 'C']) {
      const [one, two] = [
        await plan(id, { headline }, ada, now),
        await plan(id, { nickname: headline }, ada, now),
      ];
      await workspace.table.transact(one);
      await expect(workspace.table.transact(two)).rejects.toBeInstanceOf(ConditionFailed);
    }
    expect(await read(id)).toMatchObject({ headline: 'C', nickname: null });
  });

  longIt('renames one with 90 addresses, and refuses to change more than 90 at once', async () => {
    const addresses = (from: number, count: number) => ({
      email_addresses: Array.from({ length: count }, (_, i) => ({
        email_address: `${from + i}@many.example`,
      })),
    });
    const { id } = await given({ name: 'Many', external_id: 'many', ...addresses(0, 90) });
    const renamed = await change(id, { name: 'Many more', external_id: 'many more' });
    expect(renamed).toMatchObject({ name: 'Many more', external_id: 'many more' });
    expect(await holdersOf('89@many.example')).toEqual({ [id]: 'Many more' });
    expect((await change(id, addresses(45, 90))).email_addresses).toHaveLength(90);
    expect(await problems(plan(id, addresses(91, 90)))).toBe('invalid_request email_addresses too_long');
  });

  it('refuses to grow beyond 100 KB, and an organization that is not there', async () => {
    const { id } = await given({ name: 'Large' });
    const links = Array(60).fill({ url: `https://a.b/${'p'.repeat(1_990)}` });
    expect(await problems(plan(id, { links }))).toBe('invalid_request links too_long');
    expect(await problems(plan(id, { employments: [{ organization: { id } }] }))).toBe('record_not_found');
  });
});
