import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDeal, givenDealIn } from '../../support/deals.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { firstPipelineOf, givenPipeline, givenTeam } from '../../support/pipelines.ts';
import { givenContact } from '../../support/proposals.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** Filters, orders and pages alone and together: test/domain/crm/deals/lists.long.test.ts. */
describe('GET /deals', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(async () => {
    workspace.setTime(undefined);
    await workspace.stop();
  });

  const list = ({ reader }: TestUser, query: object = {}) => reader.listDeals({ query: query as never });
  const namesOf = async (user: TestUser, query: object = {}) =>
    (await list(user, query)).body.collection.records.map(({ name }) => name);

  it('200: newest first, with page, filters, slice, sort and order; an empty page behind the last', async () => {
    const { owner } = await givenTeam(workspace);
    for (const name of ['A', 'B', 'C']) await givenDeal(owner, { name });
    const { collection } = (await list(owner, { slice: 'open', status: 'open', per_page: 2 })).body;
    expect(collection.records.map(({ name }) => name)).toEqual(['C', 'B']);
    const { records: _, ...rest } = collection;
    expect(rest).toEqual({
      page: 1,
      per_page: 2,
      total_results: 3,
      pages: 2,
      filters: { status: 'open' },
      slice_key: 'open',
      sort: 'updated_at',
      order: 'desc',
    });
    expect(await namesOf(owner, { per_page: 2, page: 2 })).toEqual(['A']);
    const far = (await list(owner, { page: 900_000_000_000 })).body.collection;
    expect([far.records, far.total_results, far.page, far.pages]).toEqual([[], 3, 900_000_000_000, 1]);
    const none = (await list(workspace.hank)).body.collection;
    expect([none.records, none.total_results, none.pages, none.filters]).toEqual([[], 0, 1, null]);
  });

  longIt.each([
    ['amount', ['small', 'large', 'none']],
    ['expected_close_on', ['small', 'large', 'none']],
    ['stage_moved_at', ['large', 'none', 'small']],
    ['position', ['none', 'small', 'large']],
  ])('sorts by %s, those without a value last in both orders', async (sort, names) => {
    const { owner } = await givenTeam(workspace);
    const { stages } = await firstPipelineOf(owner);
    const close = (day: string) => ({ expected_close_on: day });
    await givenDeal(owner, { name: 'small', amount: 9.5, position: 2, ...close('2027-01-31') });
    const { id } = await givenDeal(owner, { name: 'large', amount: 10, position: 3, ...close('2027-02-01') });
    await givenDeal(owner, { name: 'none', position: 1 });
    await owner.api.updateDeal({ params: { id }, body: { deal: { stage_id: stages[1]?.id, position: 3 } } });
    const valued = sort === 'stage_moved_at' ? 1 : sort === 'position' ? 3 : 2;
    const [first, rest] = [names.slice(0, valued), names.slice(valued)];
    expect((await namesOf(owner, { sort, order: 'asc' })).slice(0, valued)).toEqual(first);
    expect((await namesOf(owner, { sort })).slice(0, valued)).toEqual(first.toReversed());
    for (const order of ['asc', 'desc'])
      expect((await namesOf(owner, { sort, order, per_page: 1, page: 3 })).length).toBe(1);
    expect((await namesOf(owner, { sort, order: 'asc' })).slice(valued).sort()).toEqual(rest.sort());
  });

  it('by a word in other orders, with long names and without amounts', async () => {
    const { owner } = await givenTeam(workspace);
    const long = `Renewal ${'b'.repeat(200)}`;
    await givenDeal(owner, { name: 'Renewal c', amount: 5 });
    await givenDeal(owner, { name: 'Renewal a' });
    await givenDeal(owner, { name: 'Another', amount: 7 });
    const query = 'renew';
    const byAmount = { query, sort: 'amount', order: 'asc' };
    expect(await namesOf(owner, byAmount)).toEqual(['Renewal c', 'Renewal a']);
    expect(await namesOf(owner, { ...byAmount, per_page: 1, page: 2 })).toEqual(['Renewal a']);
    const { id } = await givenDeal(owner, { name: long, amount: 9 });
    expect(await namesOf(owner, { query, sort: 'name', order: 'asc' })).toEqual([
      'Renewal a',
      long,
      'Renewal c',
    ]);
    await owner.api.updateDeal({ params: { id }, body: { deal: { amount: 1 } } });
    expect(await namesOf(owner, byAmount)).toEqual([long, 'Renewal c', 'Renewal a']);
    expect((await list(owner, { ...byAmount, per_page: 1 })).body.collection.total_results).toBe(3);
  });

  it('overdue: open ones whose day is over in the user’s time zone', async () => {
    const { owner } = await givenTeam(workspace);
    const { stages } = await firstPipelineOf(owner);
    for (const day of ['2092-12-31', '2093-01-01', '2093-01-02'])
      await givenDeal(owner, { name: day, expected_close_on: day });
    await givenDeal(owner, {
      name: 'won',
      expected_close_on: '2092-01-01',
      stage_id: stages[4]?.id as string,
    });
    workspace.setTime(new Date('2093-01-01T12:00:00Z'));
    expect(await namesOf(owner, { slice: 'overdue' })).toEqual(['2092-12-31']);
    workspace.setTime(undefined);
  });

  longIt('404: a pipeline, stage, user, person, organization or tag that the user does not see', async () => {
    const { owner, member } = await givenTeam(workspace);
    const hidden = await givenContact(member, { visibility: 'private' });
    const foreign = await firstPipelineOf(workspace.ada);
    for (const query of [
      { pipeline_id: foreign.id },
      { pipeline_id: randomUUID() },
      { stage_id: foreign.stages[0]?.id },
      { stage_id: foreign.id },
      { assigned_user_id: workspace.ada.user.id },
      { contact_id: hidden.id },
      { organization_id: hidden.id },
      { tags: randomUUID() },
    ]) {
      expect(await codeOf(list(owner, query)), JSON.stringify(query)).toBe('404 record_not_found');
      const count = owner.reader.countDeals({ query: query as never });
      expect(await codeOf(count), JSON.stringify(query)).toBe('404 record_not_found');
    }
  });

  it.each([
    [{ slice: 'closed' }, 'slice'],
    [{ status: 'gone' }, 'status'],
    [{ sort: 'probability' }, 'sort'],
    [{ order: 'up' }, 'order'],
    [{ page: 0 }, 'page'],
    [{ page: 1.5 }, 'page'],
    [{ per_page: 0 }, 'per_page'],
    [{ stage_id: 'x' }, 'stage_id'],
    [{ expected_close_before: '2027-02-30' }, 'expected_close_before'],
    [{ expected_close_after: '2027-02-01T00:00:00Z' }, 'expected_close_after'],
    [{ query: 'a'.repeat(501) }, 'query'],
  ])('400: %j', async (query, field) => {
    expect(Object.keys(await problemsOf(list(workspace.ada, query)))).toEqual([field]);
  });

  it('a page above 100 has 100', async () => {
    expect((await list(workspace.ada, { per_page: 1_000 })).body.collection.per_page).toBe(100);
  });

  longIt('counts what one list has by two reads, however many deals there are', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Many');
    const cost = () =>
      countRequestTrips(workspace, owner, () => owner.reader.countDeals({ query: { slice: 'mine' } }));
    await givenDealIn(owner, pipeline);
    const { calls } = await cost();
    for (let i = 0; i < 4; i++) await givenDealIn(owner, pipeline, i);
    expect((await cost()).calls).toEqual(calls);
    expect(calls.slice(-2)).toEqual(['QueryCommand', 'QueryCommand']);
  });
});
