import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PipelineOrder } from '#shared/domain/crm/pipelines/pipeline.ts';
import { keys } from '#shared/table/keys.ts';
import { givenDealIn } from '../../support/deals.ts';
import { meanwhile } from '../../support/faults.ts';
import { givenPipeline, givenTeam, orderOf, pipelinesOf } from '../../support/pipelines.ts';
import { countRequestTrips } from '../../support/round-trips.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /pipelines', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200: the pipeline that every account begins with, the same for everyone and every time', async () => {
    const { owner, member } = await givenTeam(workspace);
    const { status, body } = await owner.reader.listPipelines();
    expect(status).toBe(200);
    const created_at = expect.stringMatching(/Z$/);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    const common = { id, user_id: null, created_at, updated_at: null, deal_count: 0 };
    const stage = (position: number, name: string, kind: string, probability: number) => ({
      ...{ ...common, position, name, kind, probability, color: null },
    });
    expect(body).toEqual({
      pipelines: [
        {
          ...{ ...common, name: 'Sales', currency: null, default: true, position: 0 },
          stages: [
            stage(0, 'Lead', 'open', 10),
            stage(1, 'Qualified', 'open', 25),
            stage(2, 'Proposal', 'open', 50),
            stage(3, 'Negotiation', 'open', 75),
            stage(4, 'Won', 'won', 100),
            stage(5, 'Lost', 'lost', 0),
          ],
        },
      ],
    });
    expect(await pipelinesOf(member)).toEqual(body.pipelines);
    const ids = body.pipelines.flatMap((pipeline) => [
      pipeline.id,
      ...pipeline.stages.map((each) => each.id),
    ]);
    expect(new Set(ids).size).toBe(7);
  });

  it('reading stores nothing; what the account began with stays when it is stored', async () => {
    const { owner } = await givenTeam(workspace);
    const { PK } = keys.pipelineOrder(owner.user.account_id);
    const first = await pipelinesOf(owner);
    expect(await workspace.table.all(PK)).toEqual([]);
    await givenPipeline(owner, 'Second');
    expect((await workspace.table.all(PK)).length).toBeGreaterThan(0);
    expect((await pipelinesOf(owner))[0]).toEqual(first[0]);
  });

  it('accounts begin with different ids', async () => {
    const teams = [await givenTeam(workspace), await givenTeam(workspace)];
    const [one, other] = await Promise.all(teams.map(({ owner }) => pipelinesOf(owner)));
    expect(one?.[0]?.id).not.toBe(other?.[0]?.id);
    expect(one?.[0]?.stages[0]?.id).not.toBe(other?.[0]?.stages[0]?.id);
  });

  it('200: every pipeline of the account by position, to every user, and those of no other account', async () => {
    const { owner, member } = await givenTeam(workspace);
    await givenPipeline((await givenTeam(workspace)).owner, 'Elsewhere');
    await givenPipeline(owner, 'Zeal', { position: 0 });
    await givenPipeline(owner, 'Alpha', { default: true });
    for (const user of [owner, member])
      expect(await orderOf(user)).toEqual(['0 Zeal', '1 Sales', '2 Alpha*']);
  });

  it('counts the deals of each stage, and of each pipeline', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Busy');
    const deals = [];
    for (const stage of [0, 0, 4]) deals.push(await givenDealIn(owner, pipeline, stage));
    await owner.api.deleteDeal({ params: { id: deals[0]?.id as string } });
    const [sales, busy] = await pipelinesOf(owner);
    expect([sales?.deal_count, busy?.deal_count]).toEqual([0, 2]);
    expect(busy?.stages.map(({ deal_count }) => deal_count)).toEqual([1, 0, 0, 0, 1, 0]);
  });

  it('reads again when a pipeline of the order is gone', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await givenPipeline(owner, 'Stays');
    const key = keys.pipelineOrder(owner.user.account_id);
    const order = (ids: string[]) => workspace.table.update<PipelineOrder>(key, { set: { ids } });
    await order([randomUUID(), id]);
    const deletion = meanwhile(workspace.table, 'QueryCommand', () => order([id]), 2);
    expect((await pipelinesOf(owner)).map(({ name, position }) => [name, position])).toEqual([['Stays', 0]]);
    deletion.remove();
    expect(deletion.hit).toBe(true);
  });

  it('is one round trip for any number of pipelines', async () => {
    const { owner } = await givenTeam(workspace);
    const list = () => countRequestTrips(workspace, owner, () => pipelinesOf(owner));
    const [one] = [await list()];
    for (let i = 0; i < 3; i++) await givenPipeline(owner, `Pipeline ${i}`);
    expect(await list()).toEqual(one);
  });
});
