import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { listsOfRecords } from '#shared/composition/record-lists.ts';
import { placesOfRecords } from '#shared/domain/collaboration/record-lists/dependent.ts';
import { indexRecord } from '#shared/domain/collaboration/record-lists/index-record.ts';
import { runIndexing } from '#shared/domain/collaboration/record-lists/keeper.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import { givenAccount } from '../../../support/accounts.ts';
import { givenDeal } from '../../../support/deals.ts';
import { crashAfter, failCall } from '../../../support/faults.ts';
import { openJobs } from '../../../support/jobs.ts';
import { expectCounted, expectListed } from '../../../support/list-places.ts';
import { STRIDE } from '../../../support/long.ts';
import { givenContact } from '../../../support/proposals.ts';
import { purgeAll, runRemovals } from '../../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** Deals are counted by counters, and by packed lists of their words and tags (docs/decisions/0035, 0039). */
describe('the number of deals', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());
  afterEach(() => {
    workspace.setTime(undefined);
    vi.restoreAllMocks();
  });

  async function team() {
    [ada, grace] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
  }

  const totals = async (query: object) =>
    Promise.all(
      [ada, grace].map(
        async ({ reader }) => (await reader.listDeals({ query })).body.collection.total_results,
      ),
    );
  const tag = async (id: string, name: string) => {
    const params = { record_type: 'deals' as const, record_id: id };
    return (await ada.api.applyTag({ params, body: { tag: { name } } })).body.tagging.tag_id;
  };
  const change = (id: string, deal: object) => ada.api.updateDeal({ params: { id }, body: { deal } });
  const counted = () => expectCounted(workspace.table);

  it('by words: names of any letters, as they change, for who sees them', async () => {
    await team();
    const long = 'x'.repeat(70);
    const { id } = await givenDeal(ada, { name: `Harbour harbor Łódź 😀 船舶更新 ${long}` });
    await givenDeal(ada, { name: 'Harbour', visibility: 'private' });
    await givenDeal(grace, { name: 'Old harbour' });
    expect(await totals({ query: 'harb' })).toEqual([3, 2]);
    for (const query of ['h', 'harbor', 'lodz', '船', 'harb lo h', long, `${long}y`.slice(0, 64)])
      expect(await totals({ query }), query).toEqual(query === 'h' ? [3, 2] : [1, 1]);
    for (const query of ['arb', `${long}y`, '😀', 'old lodz'])
      expect(await totals({ query }), query).toEqual([0, 0]);
    await change(id, { name: 'Renewal' });
    expect(await totals({ query: 'harb' })).toEqual([2, 1]);
    await change(id, { name: 'Harbours', visibility: 'private' });
    expect(await totals({ query: 'harb' })).toEqual([3, 1]);
    await counted();
  });

  it('by tags, alone and with words', async () => {
    await team();
    const [first, second] = [await givenDeal(ada), await givenDeal(ada, { visibility: 'private' })];
    const big = await tag(first.id, 'Big');
    await tag(second.id, 'Big');
    const old = await tag(second.id, 'Old');
    const both = `${big},${old}`;
    expect(await totals({ tags: big })).toEqual([2, 1]);
    expect(await totals({ tags: both })).toEqual([2, 1]);
    expect(await totals({ tags: both, tag_operator: 'all' })).toEqual([1, 0]);
    expect(await totals({ tags: old, query: 'fleet' })).toEqual([1, 0]);
    await ada.api.removeTag({ params: { record_type: 'deals', record_id: first.id, tag_id: big } });
    expect(await totals({ tags: both })).toEqual([1, 0]);
    await ada.api.deleteDeal({ params: { id: second.id } });
    expect(await totals({ tags: both })).toEqual([0, 0]);
    await counted();
  });

  it('by moments within a day, and by days of any year', async () => {
    await team();
    const at = (time: string) => `2093-03-01T${time}Z`;
    const times = ['00:00:00.000', '00:00:00.001', '11:30:00.000', '23:59:59.999'];
    for (const [i, time] of times.entries()) {
      workspace.setTime(new Date(at(time)));
      const days = ['0001-02-28', '2093-03-01', '9999-12-31', undefined];
      const expected_close_on = days[i];
      await givenDeal(i % 2 === 0 ? ada : grace, {
        visibility: i === 2 ? 'private' : 'account',
        ...(expected_close_on ? { expected_close_on } : {}),
      });
    }
    const all = [4, 3];
    const none = [0, 0];
    for (const name of ['created', 'updated']) {
      expect(await totals({ [`${name}_after`]: at('00:00:00.000') })).toEqual([3, 2]);
      expect(await totals({ [`${name}_before`]: at('00:00:00.001') })).toEqual([1, 1]);
      expect(await totals({ [`${name}_before`]: at('11:30:00.001') })).toEqual([3, 2]);
      expect(await totals({ [`${name}_after`]: at('23:59:59.999') })).toEqual(none);
      expect(await totals({ [`${name}_after`]: '2093-02-28T23:59:59.999Z' })).toEqual(all);
      expect(await totals({ [`${name}_before`]: '2093-03-02T00:00:00Z' })).toEqual(all);
      expect(await totals({ [`${name}_before`]: '1970-01-01T00:00:00Z' })).toEqual(none);
      expect(await totals({ [`${name}_before`]: '0001-01-01T00:00:00Z' })).toEqual(none);
      expect(await totals({ [`${name}_after`]: '9999-12-31T23:59:59.999Z' })).toEqual(none);
      expect(await totals({ [`${name}_before`]: '9999-12-31T23:59:59.999Z' })).toEqual(all);
    }
    expect(await totals({ expected_close_before: '0001-02-28' })).toEqual(none);
    expect(await totals({ expected_close_before: '0001-03-01' })).toEqual([1, 1]);
    expect(await totals({ expected_close_after: '0001-02-28' })).toEqual([2, 1]);
    expect(await totals({ expected_close_after: '2093-03-01' })).toEqual([1, 0]);
    expect(await totals({ expected_close_after: '9999-12-31' })).toEqual(none);
    await counted();
  });

  async function inManyPlaces() {
    await team();
    const contacts = await Promise.all(Array.from({ length: 14 }, () => givenContact(ada)));
    const { id } = await givenDeal(ada, {
      name: 'One two three four five',
      amount: 5,
      contact_ids: contacts.map((contact) => contact.id),
      expected_close_on: '2020-01-31',
    });
    for (let i = 0; i < 30; i++) await tag(id, `Tag ${i}`);
    await counted();
    expect(await totals({ slice: 'overdue' })).toEqual([1, 1]);
    return id;
  }

  it('without one that leaves its places before its lists follow', async () => {
    const id = await inManyPlaces();
    const { table, ctx } = workspace;
    for await (const writes of placesOfRecords.removing(ctx, { type: 'deals', id }))
      await table.transact(writes);
    expect(await totals({ slice: 'overdue' })).toEqual([0, 0]);
    await counted();
  });

  it('without a deleted one that is in more places than fit into a transaction', async () => {
    const id = await inManyPlaces();
    await ada.api.deleteDeal({ params: { id } });
    await runRemovals(workspace);
    expect(await totals({ slice: 'overdue' })).toEqual([0, 0]);
    await purgeAll(workspace);
    for (const job of await openJobs(workspace.table, 'index-records'))
      await runIndexing(workspace.ctx, listsOfRecords, job.id, () => false);
    await expectListed(workspace.table, dealIndex, id);
    await counted();
  });

  it('follows whichever call is the last, once', async () => {
    await team();
    const contacts = await Promise.all(Array.from({ length: 14 }, () => givenContact(ada)));
    const contact_ids = contacts.map((contact) => contact.id);
    const { id } = await givenDeal(ada, { name: 'Zero', contact_ids });
    const { table } = workspace;
    const after = (of: typeof table, call: number) => failCall(of, call, 'after');
    for (const interrupt of [crashAfter, after])
      for (let call = 1; ; call += STRIDE) {
        workspace.setTime(new Date(Date.UTC(2093, call % 12, 1 + (call % 28))));
        const fault = interrupt(table, call);
        await change(id, {
          name: `Number ${call} ${'n'.repeat(call % 9)}`,
          expected_close_on: '2093-01-01',
        }).catch(() => undefined);
        const { hit } = fault;
        fault.remove();
        await indexRecord({ table, clock: () => new Date() }, dealIndex as never, id);
        await expectListed(table, dealIndex, id);
        await counted();
        if (!hit) break;
      }
  });
});
