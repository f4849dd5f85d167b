import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import { indexingJob } from '#shared/domain/collaboration/record-lists/job.ts';
import { runIndexing } from '#shared/domain/collaboration/record-lists/keeper.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { type Table, update } from '#shared/table/table.ts';
import { crashAfter, failCall, meanwhile } from '../../../support/faults.ts';
import { givenGroup } from '../../../support/groups.ts';
import { expectListed } from '../../../support/list-places.ts';
import { STRIDE } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Lists of a record are a function of what is stored, whichever call fails and whoever changes it at once. */
describe('the lists of a record', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());
  afterEach(() => vi.restoreAllMocks());

  const work = (table: Table) => ({ table, clock: () => new Date() });
  const listed = (id: string) => expectListed(workspace.table, contactIndex, id);
  const on = (record_id: string) => ({ record_type: 'contacts' as const, record_id });
  const shareWith = (id: string, share: object) => ada.api.createShare({ params: on(id), body: { share } });
  const many = (from: number) =>
    Array.from({ length: 60 }, (_, i) => ({ email_address: `person${from + i}@place${from + i}.example` }));
  const found = async (user: TestUser, query: object) =>
    (await user.reader.listContacts({ query })).body.collection.records.map(({ id }) => id);

  it('follow every change of it, and none is left behind', async () => {
    const { id } = await givenContact(ada, { name: 'Ada Byron', visibility: 'private' });
    await listed(id);
    await shareWith(id, { user_id: grace.user.id });
    await listed(id);
    await grace.api.pinContact({ params: { contact_id: id } });
    await listed(id);
    await ada.api.applyTag({ params: on(id), body: { tag: { name: 'Poet' } } });
    await listed(id);
    for (const contact of [
      { name: 'Ada King' },
      { visibility: 'account' as const },
      { email_addresses: many(0) },
    ]) {
      await ada.api.updateContact({ params: { id }, body: { contact } });
      await listed(id);
    }
    await ada.api.deleteContact({ params: { id } });
    await listed(id);
  });

  it('of a record in hundreds of places follow in several transactions, whichever call is the last', async () => {
    const { id } = await givenContact(ada, { email_addresses: many(100) });
    const { table } = workspace;
    const after = (of: Table, call: number) => failCall(of, call, 'after');
    for (const interrupt of [crashAfter, after])
      for (let call = 1; ; call += STRIDE) {
        const email_addresses = many(200 + 60 * call).map((entry, i) => ({
          ...entry,
          id: newId(new Date()),
          label: null,
          primary: i === 0,
        }));
        await table.transact([update<Contact>(keys.record('contacts', id), { set: { email_addresses } })]);
        const fault = interrupt(table, call);
        await indexRecord(work(table), contactIndex as never, id).catch(() => undefined);
        const { hit } = fault;
        fault.remove();
        await indexRecord(work(table), contactIndex as never, id);
        await listed(id);
        if (!hit) break;
        expect(call).toBeLessThan(40);
      }
  });

  it('are the same after many changes and workers at once', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    await shareWith(id, { user_id: grace.user.id, access: 'edit' });
    await Promise.all([
      ...[1, 2, 3].map((n) =>
        ada.api.updateContact({ params: { id }, body: { contact: { name: `N ${n}` } } }),
      ),
      grace.api.updateContact({ params: { id }, body: { contact: { email_addresses: many(5_000) } } }),
      grace.api.pinContact({ params: { contact_id: id } }),
      ada.api.applyTag({ params: on(id), body: { tag: { name: 'Raced' } } }),
      ...[1, 2].map(() => indexRecord(work(workspace.table), contactIndex as never, id)),
    ]);
    await listed(id);
  });

  it('follow the members of a group, and its end', async () => {
    const { id } = await givenContact(ada, { visibility: 'private' });
    const group = await givenGroup(ada, [grace]);
    await shareWith(id, { group_id: group.id });
    expect(await found(grace, { slice: 'shared' })).toContain(id);
    const params = { group_id: group.id };
    await ada.api.createMembership({ params, body: { user_id: linus.user.id } });
    expect(await found(linus, { slice: 'shared' })).toContain(id);
    await ada.api.deleteMembership({ params: { ...params, user_id: grace.user.id } });
    expect(await found(grace, {})).not.toContain(id);
    await listed(id);
    await ada.api.deleteGroup({ params: { id: group.id } });
    expect(await found(linus, {})).not.toContain(id);
    const contact = await workspace.table.get<Contact>(keys.record('contacts', id));
    expect(contact?.shares).toEqual({});
    await listed(id);
  });

  it('of more records than a request indexes are left to the queue, page by page', async () => {
    const { table, ctx } = workspace;
    const group = await givenGroup(ada, [grace]);
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) ids.push((await givenContact(ada, { visibility: 'private' })).id);
    for (const id of ids) await shareWith(id, { group_id: group.id });
    await ada.api.createMembership({ params: { group_id: group.id }, body: { user_id: linus.user.id } });
    const total = async () =>
      (await linus.reader.countContacts({ query: { slice: 'shared' } })).body.count.total;
    expect(await total()).toBe(25);
    const job = indexingJob({ account_id: workspace.account_id, group_id: group.id }, new Date());
    await table.put({ ...job });
    await runIndexing(ctx, listsOfRecords, job.id, () => false);
    expect(await total()).toBe(30);
    expect(await table.get(keys.job(job.id))).toBeUndefined();
  });

  it('follow who joins a group while the record changes', async () => {
    const { table } = workspace;
    const group = await givenGroup(ada, [grace]);
    const { id } = await givenContact(ada, { visibility: 'private', name: 'Before' });
    await shareWith(id, { group_id: group.id });
    const join = meanwhile(table, 'TransactWriteItemsCommand', () =>
      ada.api.createMembership({ params: { group_id: group.id }, body: { user_id: linus.user.id } }),
    );
    await ada.api.updateContact({ params: { id }, body: { contact: { name: 'Meanwhile' } } });
    join.remove();
    expect([join.hit, await found(linus, { query: 'meanwhile' })]).toEqual([true, [id]]);
    await listed(id);
  });

  it('follow a change that was planned before somebody joined, and written while the lists were', async () => {
    const { table } = workspace;
    const group = await givenGroup(ada, [grace]);
    const { id } = await givenContact(ada, { visibility: 'private', name: 'Before' });
    await shareWith(id, { group_id: group.id });
    const [renamed, indexing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let join: Promise<unknown> = Promise.resolve();
    const planned = meanwhile(table, 'TransactWriteItemsCommand', async () => {
      // The second transaction is that of the lists.
      const held = meanwhile(
        table,
        'TransactWriteItemsCommand',
        async () => {
          indexing.resolve();
          await renamed.promise;
        },
        2,
      );
      const body = { user_id: linus.user.id };
      join = ada.api.createMembership({ params: { group_id: group.id }, body }).finally(held.remove);
      await indexing.promise;
    });
    await ada.api.updateContact({ params: { id }, body: { contact: { name: 'Afterwards' } } });
    renamed.resolve();
    await join;
    planned.remove();
    expect(await found(linus, { query: 'afterwards' })).toEqual([id]);
    await listed(id);
  });
});
