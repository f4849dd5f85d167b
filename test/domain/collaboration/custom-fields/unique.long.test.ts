import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../../support/accounts.ts';
import { bringAll, givenField, keepers } from '../../../support/custom-fields.ts';
import { failureOf } from '../../../support/failures.ts';
import { failCall } from '../../../support/faults.ts';
import { reduced, STRIDE } from '../../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

const types = ['contacts', 'organizations', 'deals'] as const;

describe('unique custom fields', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    [ada, grace] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    for (const record_type of types) await givenField(ada, 'no', { record_type, unique: true });
    await givenField(ada, 'count', { type: 'number', unique: true });
    await givenField(ada, 'day', { type: 'date', unique: true });
    await bringAll(workspace, ada);
  });
  afterAll(() => workspace.stop());

  const asCall = (call: Promise<unknown>) => call.then(() => ({ status: 200 }));
  const no = (value: unknown, more: object = {}) => ({ custom_fields: { no: value }, ...more });
  const taken = async (call: Promise<unknown>, key = 'no') => {
    const { status, code, fields } = await failureOf(asCall(call));
    expect([status, code, Object.keys(fields)]).toEqual([
      409,
      'custom_field_taken',
      [`custom_fields.${key}`],
    ]);
    return fields;
  };

  it.each(types)('of %s are on one record, and free when it changes or goes', async (type) => {
    const { create, update, remove } = keepers[type];
    const first = await create(ada, no('1'));
    await taken(create(ada, no('1')));
    const second = await create(ada, no('2'));
    await taken(update(ada, second.id, no('1')));
    await update(ada, first.id, no('1', { name: 'The same' }));
    await update(ada, first.id, no('3'));
    await update(ada, second.id, no('1'));
    await update(ada, first.id, no(null));
    await update(ada, second.id, no('3'));
    await remove(ada, second.id);
    await update(ada, first.id, no('3'));
    await create(ada, no('2'));
  });

  it('are compared as they are, and each type has its own', async () => {
    await keepers.contacts.create(ada, no('case'));
    await keepers.contacts.create(ada, no('Case'));
    await keepers.deals.create(ada, no('case'));
    await keepers.contacts.create(workspace.hank, no('case'));
    await keepers.contacts.create(ada, { custom_fields: { count: 1.5, day: '2027-01-31' } });
    await taken(keepers.contacts.create(ada, { custom_fields: { count: 1.5 } }), 'count');
    await taken(keepers.contacts.create(ada, { custom_fields: { day: '2027-01-31' } }), 'day');
  });

  it('409 without a hint for the value of a record that the user does not see', async () => {
    const { id } = await keepers.contacts.create(
      grace,
      no('hidden', { visibility: 'private', name: 'Secret' }),
    );
    const fields = await taken(keepers.contacts.create(ada, no('hidden')));
    expect(JSON.stringify(fields)).not.toContain(id);
    expect(JSON.stringify(fields)).not.toContain('Secret');
  });

  it('of many requests at once one gets a value', async () => {
    const { id } = await keepers.contacts.create(ada, no('free'));
    const tries = [
      ...Array.from({ length: reduced(24) }, () => keepers.contacts.create(ada, no('raced'))),
      keepers.contacts.update(ada, id, no('raced')),
    ];
    const done = await Promise.allSettled(tries);
    expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const { records } = await keepers.contacts.list(ada, {});
    expect(records.filter(({ custom_fields }) => custom_fields.no === 'raced')).toHaveLength(1);
  });

  it('go with a merge: the survivor has its own value, or that of the other contact', async () => {
    const merge = (into: string, from: string) =>
      ada.api.mergeContacts({ params: { contact_id: into }, body: { contact_id_to_merge: from } });
    const a = await keepers.contacts.create(ada, no('m1'));
    const b = await keepers.contacts.create(ada, no('m2'));
    const c = await keepers.contacts.create(ada, {});
    await merge(a.id, b.id);
    await taken(keepers.contacts.create(ada, no('m1')));
    const again = await keepers.contacts.create(ada, no('m2'));
    await merge(c.id, again.id);
    await taken(keepers.contacts.create(ada, no('m2')));
    await keepers.contacts.update(ada, c.id, no(null));
    await keepers.contacts.create(ada, no('m2'));
  });

  it('of records from before are claimed by a job, one record each; the others keep theirs', async () => {
    const [boss, other] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const { create, update, remove } = keepers.contacts;
    const [a, b] = [await create(boss, no('old')), await create(boss, no('old'))];
    const hidden = await create(other, no('older', { visibility: 'private' }));
    const odd = await create(boss, no(7));
    await givenField(boss, 'no', { unique: true });
    await bringAll(workspace, boss);
    await taken(create(boss, no('old')));
    await taken(create(boss, no('older')));
    expect((await update(boss, odd.id, { headline: 'Still there' })).custom_fields).toEqual({ no: 7 });
    for (const { id } of [a, b]) await update(boss, id, { headline: 'Both' });
    for (const { id } of [a, b]) await update(boss, id, no(null));
    await create(boss, no('old'));
    await remove(other, hidden.id);
    await create(boss, no('older'));
  });

  it('are claimed whichever call of the job fails, and whatever changes meanwhile', async () => {
    for (let call = 1; ; call += STRIDE) {
      const [boss] = (await givenAccount(workspace, 1)) as [TestUser];
      const { create, update } = keepers.contacts;
      const made = await create(boss, no('v'));
      const moves = await create(boss, no('w'));
      const field = await givenField(boss, 'no', { unique: true });
      const fault = failCall(workspace.table, call, 'after');
      await bringAll(workspace, boss).catch(() => undefined);
      const { hit } = fault;
      fault.remove();
      await Promise.all([bringAll(workspace, boss), update(boss, moves.id, no('x'))]);
      const params = { id: field.id };
      expect((await boss.reader.retrieveCustomField({ params })).body.custom_field.status).toBe('ready');
      await taken(create(boss, no('v')));
      await taken(create(boss, no('x')));
      await create(boss, no('w'));
      await update(boss, made.id, no('y'));
      if (!hit) break;
      expect(call).toBeLessThan(60);
    }
  });
});
