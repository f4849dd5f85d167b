import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { applyAsAgent } from '#shared/domain/assistant/proposals/propose.ts';
import type { Deal } from '#shared/domain/crm/deals/deal.ts';
import { KEPT_MOVES } from '#shared/domain/crm/deals/stage-history.ts';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import { keys } from '#shared/table/keys.ts';
import { callerOf } from '../../support/callers.ts';
import { dealOf, givenDeal, givenDealIn } from '../../support/deals.ts';
import { codeOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { openJobs } from '../../support/jobs.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { measureTable, splitCost } from '../../support/meter.ts';
import { firstPipelineOf, givenPipeline, givenTeam } from '../../support/pipelines.ts';
import { accept, givenProposal, undo } from '../../support/proposals.ts';
import { purgeAll } from '../../support/removed-records.ts';
import { runMoves } from '../../support/replaced-stages.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /deals/{deal_id}/stage_history', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  let pipeline: PipelineRecord;
  beforeAll(async () => {
    workspace = await startWorkspace({ files: true, own_table: true });
    ({ ada, grace, linus } = workspace);
    pipeline = await firstPipelineOf(ada);
  });
  afterAll(() => workspace.stop());
  afterEach(() => workspace.setTime(undefined));

  const historyOf = async (id: string, { reader }: TestUser = ada) =>
    (await reader.listStageHistory({ params: { deal_id: id } })).body.stage_history;
  const move = (id: string, stage_id: string, user = ada) =>
    user.api.updateDeal({ params: { id }, body: { deal: { stage_id } } });
  const stageAt = (place: number) => pipeline.stages[place]?.id as string;
  /** The names of both stages of each move, and who moved it. */
  const movesOf = async (id: string, user = ada) =>
    (await historyOf(id, user)).map(({ from_stage, to_stage, user_id }) => [
      from_stage?.name ?? null,
      to_stage?.name ?? null,
      user_id,
    ]);

  it('200: every stage with who moved it, when, and how long it was there, newest first', async () => {
    const start = Date.parse('2026-11-20T09:00:00Z');
    const at = (seconds: number) => workspace.setTime(new Date(start + seconds * 1_000));
    at(0);
    const { id, created_at } = await givenDealIn(ada, pipeline, 0);
    at(60);
    await move(id, stageAt(1));
    at(90);
    await ada.api.updateDeal({ params: { id }, body: { deal: { amount: 5 } } });
    await move(id, stageAt(1));
    at(360);
    await move(id, stageAt(4), grace);
    at(361.5);
    const [lead, qualified, won] = [0, 1, 4].map((place) => {
      const { name, kind } = pipeline.stages[place]!;
      return { id: stageAt(place), name, kind, position: place };
    });
    const by = (user: TestUser, seconds: number, seconds_in_stage: number) => ({
      id: expect.any(String),
      user_id: user.user.id,
      moved_at: new Date(start + seconds * 1_000).toISOString(),
      seconds_in_stage,
    });
    const history = await historyOf(id);
    expect(history).toEqual([
      { ...by(grace, 360, 1), from_stage: qualified, to_stage: won },
      { ...by(ada, 60, 300), from_stage: lead, to_stage: qualified },
      { ...by(ada, 0, 60), from_stage: null, to_stage: lead },
    ]);
    expect(history[2]?.moved_at).toBe(created_at);
    expect(new Set(history.map((each) => each.id)).size).toBe(3);
    expect((await historyOf(id)).map((each) => each.id)).toEqual(history.map((each) => each.id));
  });

  it('has the moves of upserts and proposals; an agent is nobody', async () => {
    const upsert = (deal: object) =>
      ada.api.createDeal({ query: { upsert: 'external_id' }, body: { deal: deal as never } });
    const sent = { name: 'Synced', external_id: 'stages', stage_id: stageAt(0) };
    const { id } = (await upsert(sent)).body.deal;
    await upsert({ ...sent, stage_id: stageAt(1) });
    await upsert({ ...sent, stage_id: stageAt(1) });
    const params = { record_id: id, stage_id: stageAt(2) };
    const proposal = await givenProposal(workspace, ada, { action_type: 'deal.move', params });
    expect(await historyOf(id)).toHaveLength(2);
    await accept(ada, proposal.id);
    await undo(ada, proposal.id);
    const ctx = { ...workspace.ctx, caller: await callerOf(workspace.table, ada.user), now: new Date() };
    const draft = { action_type: 'deal.move', params: { record_id: id, stage_id: stageAt(3) } };
    await applyAsAgent(ctx, { ...draft, rationale: null, agent_slug: 'auto_deal', source: null });
    const me = ada.user.id;
    expect(await movesOf(id)).toEqual([
      ['Qualified', 'Negotiation', null],
      ['Proposal', 'Qualified', me],
      ['Qualified', 'Proposal', me],
      ['Lead', 'Qualified', me],
      [null, 'Lead', me],
    ]);
  });

  it('shows a replaced stage as gone and the move to its replacement at once, which the job then writes', async () => {
    const { owner } = await givenTeam(workspace);
    const stages = [{ name: 'A' }, { name: 'B' }, { name: 'C' }];
    const own = await givenPipeline(owner, 'Replacing', { stages });
    const [a, b] = own.stages.map((stage) => stage.id) as [string, string];
    const { id } = await givenDealIn(owner, own, 0);
    await owner.api.deleteStage({
      params: { pipeline_id: own.id, id: a },
      body: { replacement_stage_id: b },
    });
    const moves = [
      [null, 'B', null],
      [null, null, owner.user.id],
    ];
    expect(await movesOf(id, owner)).toEqual(moves);
    const before = await historyOf(id, owner);
    await runMoves(workspace);
    expect(await openJobs(workspace.table, 'move-deals')).toEqual([]);
    expect(await movesOf(id, owner)).toEqual(moves);
    expect((await historyOf(id, owner)).map((each) => each.id)).toEqual(before.map((each) => each.id));
    expect((await dealOf(owner, id)).stage.name).toBe('B');
  });

  longIt('keeps the last 200 moves, and those of a deal from before it began', async () => {
    const { id } = await givenDealIn(ada, pipeline, 0);
    const key = keys.record('deals', id);
    await workspace.table.update<Deal>(key, { set: { stage_moves: KEPT_MOVES - 1 } });
    for (const place of [1, 2, 3]) await move(id, stageAt(place));
    // The first move of all was written over by the one 200 later.
    expect((await movesOf(id)).map(([from, to]) => [from, to])).toEqual([
      ['Proposal', 'Negotiation'],
      ['Qualified', 'Proposal'],
      ['Lead', 'Qualified'],
    ]);
    const old = await givenDealIn(ada, pipeline, 0);
    await workspace.table.update<Deal>(keys.record('deals', old.id), { remove: ['stage_moves'] });
    await workspace.table.transact([{ delete: keys.stageMove(old.id, 1) }]);
    expect(await movesOf(old.id)).toEqual([]);
    await move(old.id, stageAt(1));
    expect(await movesOf(old.id)).toEqual([['Lead', 'Qualified', ada.user.id]]);
  });

  longIt('one of many moves at once is in it for each that the deal made, whatever call fails', async () => {
    const { id } = await givenDealIn(ada, pipeline, 0);
    await Promise.allSettled([1, 2, 3, 4, 5].map((place) => move(id, stageAt(place))));
    const moves = await movesOf(id);
    expect(moves[0]?.[1]).toBe((await dealOf(ada, id)).stage.name);
    expect(moves.slice(0, -1).map(([from]) => from)).toEqual(moves.slice(1).map(([, to]) => to));
    for (const when of ['before', 'after'] as const)
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const fault = failCall(workspace.table, call, when);
        await move(id, stageAt(call % 6)).catch(() => undefined);
        fault.remove();
        reached = fault.hit;
        const now = await movesOf(id);
        expect(now[0]?.[1]).toBe((await dealOf(ada, id)).stage.name);
        expect(now.slice(0, -1).map(([from]) => from)).toEqual(now.slice(1).map(([, to]) => to));
      }
  });

  longIt('404 for a deal that the user does not see; it goes with the deal', async () => {
    const { id } = await givenDeal(ada, { visibility: 'private' });
    expect(await codeOf(linus.reader.listStageHistory({ params: { deal_id: id } }))).toBe(
      '404 record_not_found',
    );
    const share = { user_id: linus.user.id };
    await ada.api.createShare({ params: { record_type: 'deals', record_id: id }, body: { share } });
    expect(await movesOf(id, linus)).toEqual([[null, 'Lead', ada.user.id]]);
    await ada.api.deleteDeal({ params: { id } });
    expect(await codeOf(ada.reader.listStageHistory({ params: { deal_id: id } }))).toBe(
      '404 record_not_found',
    );
    await purgeAll(workspace);
    expect(await workspace.table.all(keys.record('deals', id).PK)).toEqual([]);
  });

  it('two round trips', async () => {
    const { id } = await givenDealIn(ada, pipeline, 0);
    const cost = await measureTable(workspace.table, () => historyOf(id));
    expect(splitCost(cost, 'read').operation.depth).toBe(2);
  });
});
