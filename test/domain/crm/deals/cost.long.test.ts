import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { dealIndex } from '#shared/domain/crm/deals/lists.ts';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import { keys } from '#shared/table/keys.ts';
import { givenDeal } from '../../../support/deals.ts';
import { countersOf, listedCopies } from '../../../support/listed.ts';
import { bestOfFive, type Cost, measureTable, splitCost } from '../../../support/meter.ts';
import { givenPipeline, givenTeam } from '../../../support/pipelines.ts';
import { givenContact } from '../../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../../support/workspace.ts';

/** What pages of deals cost, among few and many. */

const FEW = 120;
const MANY = 3_000;
const DAY = 86_400_000;
/** Between two deals. */
const QUARTER = DAY / 4;

const today = () => new Date().toISOString().slice(0, 10);

interface Account {
  owner: TestUser;
  pipeline: PipelineRecord;
  contact_id: string;
  half_tag: string;
  /** Half of the deals were made after it. */
  middle: string;
}

describe('pages of deals', () => {
  let workspace: Workspace;
  const accounts = new Map<number, Account>();

  /** One stored deal, and as many like it. */
  async function given(count: number): Promise<Account> {
    const { table } = workspace;
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Many');
    const { id: contact_id } = await givenContact(owner);
    const { id } = await givenDeal(owner, { contact_ids: [contact_id], amount: 1 });
    const half_tag = (await owner.api.createTag({ body: { tag: { name: 'Half' } } })).body.tag.id;
    const model = (await table.get<Deal>(keys.record('deals', id))) as Deal;
    // A prime: deals are made in another order than they are written.
    const createdAt = (i: number) => Date.now() - ((i * 7_919) % count) * QUARTER;
    const items = await listedCopies(table, dealIndex, { model, count, createdAt }, (i) => {
      const stage = pipeline.stages[i % 6];
      return {
        name: i % 2 === 0 ? `Half ${i}` : `Deal ${i}`,
        pipeline_id: pipeline.id,
        stage_id: stage?.id as string,
        status: stage?.kind ?? 'open',
        amount: i,
        expected_close_on: new Date(Date.now() + (i - count / 2) * DAY).toISOString().slice(0, 10),
        ...(i % 2 === 0 ? { tag_ids: new Set([half_tag]) } : {}),
        assigned_user_id: i % 3 === 0 ? owner.user.id : null,
        updated_at: new Date(Date.now() - i * QUARTER).toISOString(),
      } satisfies Partial<Deal>;
    });
    await owner.api.deleteDeal({ params: { id } });
    await table.writeMany([...items, ...countersOf(items)].map((put) => ({ put })));
    const middle = new Date(Date.now() - (count / 2) * QUARTER).toISOString();
    return { owner, pipeline, contact_id, half_tag, middle };
  }

  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    for (const count of [FEW, MANY]) accounts.set(count, await given(count));
  }, 300_000);
  afterAll(() => workspace.stop());

  async function costOf(
    count: number,
    queryOf: (account: Account) => object,
  ): Promise<Cost & { total: number }> {
    const account = accounts.get(count) as Account;
    let total = 0;
    const cost = await measureTable(workspace.table, async () => {
      const query = queryOf(account) as never;
      const { collection } = (await account.owner.reader.listDeals({ query })).body;
      expect(collection.records.length).toBeGreaterThan(0);
      total = collection.total_results;
    });
    return { ...splitCost(cost, 'read').operation, total };
  }

  it.each<[string, (account: Account) => object]>([
    ['no filter', () => ({})],
    ['slice=open', () => ({ slice: 'open' })],
    ['slice=mine', () => ({ slice: 'mine' })],
    ['status', () => ({ status: 'won' })],
    ['pipeline_id', ({ pipeline }) => ({ pipeline_id: pipeline.id })],
    [
      'stage_id by position',
      ({ pipeline }) => ({ stage_id: pipeline.stages[1]?.id, sort: 'position', order: 'asc' }),
    ],
    ['assigned_user_id', ({ owner }) => ({ assigned_user_id: owner.user.id })],
    ['sort=amount', () => ({ sort: 'amount', order: 'asc' })],
    ['sort=name', () => ({ sort: 'name' })],
    ['slice=overdue', () => ({ slice: 'overdue' })],
    ['slice=overdue by day', () => ({ slice: 'overdue', sort: 'expected_close_on', order: 'asc' })],
  ])('%s: three round trips, and no more reading among many', bestOfFive, async (_, query) => {
    const per_page = (account: Account) => ({ per_page: 10, ...query(account) });
    const [few, many] = [await costOf(FEW, per_page), await costOf(MANY, per_page)];
    expect(Math.max(few.depth, many.depth)).toBeLessThanOrEqual(3);
    expect(many.read_units).toBeLessThanOrEqual(1.5 * few.read_units);
    expect(many.total / few.total).toBeGreaterThan(MANY / FEW / 2);
  });

  it.each<[string, (account: Account) => object]>([
    ['a word of half', () => ({ query: 'hal' })],
    ['a tag of half', ({ half_tag }) => ({ tags: half_tag })],
    ['created_after', ({ middle }) => ({ created_after: middle })],
    ['created_before', ({ middle }) => ({ created_before: middle })],
    ['updated_after', ({ middle }) => ({ updated_after: middle })],
    ['updated_before', ({ middle }) => ({ updated_before: middle })],
    ['expected_close_before by creation', () => ({ expected_close_before: today(), sort: 'created_at' })],
    ['expected_close_after by creation', () => ({ expected_close_after: today(), sort: 'created_at' })],
  ])('%s, half of them: three round trips, and a number that costs little', bestOfFive, async (_, query) => {
    const [few, many] = [await costOf(FEW, query), await costOf(MANY, query)];
    expect(Math.max(few.depth, many.depth)).toBeLessThanOrEqual(3);
    expect(many.read_units).toBeLessThanOrEqual(1.5 * few.read_units);
    expect(many.total / few.total).toBeGreaterThan(MANY / FEW / 2);
  });

  it('with a person: what is not counted is read, in five round trips at most', bestOfFive, async () => {
    const many = await costOf(MANY, ({ contact_id }) => ({ contact_id }));
    expect(many.depth).toBeLessThanOrEqual(5);
    expect(many.total).toBeGreaterThanOrEqual(MANY / 2);
  });

  it('slice=overdue, a few of many: read whole, in three round trips', bestOfFive, async () => {
    workspace.setTime(new Date(Date.now() - (MANY / 2 - 30) * DAY));
    const some = await costOf(MANY, () => ({ slice: 'overdue' }));
    workspace.setTime(undefined);
    expect(some.depth).toBeLessThanOrEqual(3);
    expect(some.total).toBe(20);
    expect(some.read_units).toBeLessThanOrEqual(45);
  });

  it.each([
    { days: MANY / 2, sort: 'amount' as const, order: 'asc' as const, page: 20 },
    { days: 300, sort: 'amount' as const, order: 'desc' as const, page: 1 },
    { days: 300, sort: 'amount' as const, order: 'desc' as const, page: 8 },
    { days: 300, sort: 'updated_at' as const, order: 'asc' as const, page: 2 },
    { days: MANY / 2, sort: 'updated_at' as const, order: 'desc' as const, page: 3 },
    { days: MANY / 2, sort: 'updated_at' as const, order: 'desc' as const, page: 1_000_000_000 },
  ])('slice=overdue, far from where an order begins: %o', async ({ days, ...query }) => {
    const { owner, pipeline } = accounts.get(MANY) as Account;
    workspace.setTime(new Date(Date.now() - (MANY / 2 - days) * DAY));
    const { collection } = (
      await owner.reader.listDeals({ query: { slice: 'overdue', per_page: 25, ...query } })
    ).body;
    workspace.setTime(undefined);
    const open = Array.from({ length: days }, (_, i) => i).filter(
      (i) => pipeline.stages[i % 6]?.kind === 'open',
    );
    // The first was made last.
    if ((query.order === 'desc') !== (query.sort === 'updated_at')) open.reverse();
    expect(collection.total_results).toBe(open.length);
    const wanted = open.slice(25 * (query.page - 1), 25 * query.page);
    expect(collection.records.map(({ amount }) => amount)).toEqual(wanted);
  });

  it('page 100 has its deals within 20 round trips', async () => {
    const { owner } = accounts.get(MANY) as Account;
    for (const query of [
      { per_page: 25 },
      { per_page: 25, sort: 'amount' as const, order: 'asc' as const },
    ]) {
      const last = await costOf(MANY, () => ({ ...query, page: 100 }));
      expect(last.depth).toBeLessThanOrEqual(20);
      const { records } = (await owner.reader.listDeals({ query: { ...query, page: 100 } })).body.collection;
      expect(records.map(({ amount }) => amount)).toEqual(Array.from({ length: 25 }, (_, i) => 2_475 + i));
    }
  });
});
