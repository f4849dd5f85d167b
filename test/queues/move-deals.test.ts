import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import { keys } from '#shared/table/keys.ts';
import { handler } from '../../functions/queues/move-deals.ts';
import { dealOf, givenDealIn } from '../support/deals.ts';
import { codeOf } from '../support/failures.ts';
import { crashAfter, failCall } from '../support/faults.ts';
import { deliverMessages, openJobs } from '../support/jobs.ts';
import { longIt, SHORT_STRIDE } from '../support/long.ts';
import { storedNotifications } from '../support/notifications.ts';
import { givenPipeline, givenTeam } from '../support/pipelines.ts';
import { runMoves } from '../support/replaced-stages.ts';
import { startWorkspace, type TestUser, type Workspace } from '../support/workspace.ts';

/** A deleted stage whose deals another gets; no queue runs here. */
describe('queue move-deals', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
  });
  afterAll(() => workspace.stop());

  const stages = [
    { name: 'A' },
    { name: 'B' },
    { name: 'C' },
    { name: 'Won', kind: 'won' as const },
    { name: 'Lost', kind: 'lost' as const },
  ];
  const idAt = (pipeline: PipelineRecord, place: number) => pipeline.stages[place]?.id as string;
  const replace = ({ api }: TestUser, pipeline: PipelineRecord, place: number, by: number) =>
    api.deleteStage({
      params: { pipeline_id: pipeline.id, id: idAt(pipeline, place) },
      body: { replacement_stage_id: idAt(pipeline, by) },
    });
  const countsOf = async ({ reader }: TestUser, { id }: PipelineRecord) =>
    (await reader.retrievePipeline({ params: { id } })).body.pipeline.stages.map(
      ({ name, deal_count }) => `${name} ${deal_count}`,
    );
  const left = ({ table }: Workspace, { id }: PipelineRecord, account_id: string) =>
    table.all(keys.stageDeals(account_id, id, '').PK, keys.stageDeals(account_id, id, '').SK);

  async function given() {
    const { owner, member } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Moves', { stages });
    const own = await givenDealIn(owner, pipeline, 0);
    const { deal: hidden } = (
      await member.api.createDeal({
        body: {
          deal: {
            name: 'Hidden',
            visibility: 'private',
            pipeline_id: pipeline.id,
            stage_id: idAt(pipeline, 0),
          },
        },
      })
    ).body;
    return { owner, member, pipeline, own, hidden };
  }

  it('closes a won deal again when a lost stage replaces its own', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Closed', { stages });
    const { id } = await givenDealIn(owner, pipeline, 3);
    const { closed_at } = await dealOf(owner, id);
    await replace(owner, pipeline, 3, 4);
    const shown = await dealOf(owner, id);
    expect(shown.status).toBe('lost');
    expect(`${shown.closed_at}` > `${closed_at}`).toBe(true);
    await runMoves(workspace);
    expect(`${(await dealOf(owner, id)).closed_at}` >= `${shown.closed_at}`).toBe(true);
  });

  longIt(
    'shows deals in the replacement at once, moves them, hidden ones too, and tells nobody',
    async () => {
      const { owner, member, pipeline, own, hidden } = await given();
      expect((await replace(owner, pipeline, 0, 3)).status).toBe(204);
      const seen = async () => [
        await dealOf(owner, own.id).then(({ stage, status, probability }) => [
          stage.name,
          status,
          probability,
        ]),
        await dealOf(member, hidden.id).then(({ stage }) => stage.name),
        await countsOf(owner, pipeline),
        (await owner.reader.countDeals({ query: { slice: 'won' } })).body.count.total,
        (await owner.reader.countDeals({ query: { slice: 'open' } })).body.count.total,
        (await member.reader.countDeals({ query: { stage_id: idAt(pipeline, 3) } })).body.count.total,
      ];
      const moved = [['Won', 'won', 100], 'Won', ['B 0', 'C 0', 'Won 2', 'Lost 0'], 1, 0, 2];
      expect(await seen()).toEqual(moved);
      const { closed_at } = await dealOf(owner, own.id);
      expect(closed_at).toEqual(expect.any(String));
      await runMoves(workspace);
      expect(await seen()).toEqual(moved);
      const deal = await dealOf(owner, own.id);
      expect([deal.closed_at, deal.stage_moved_at]).toEqual([deal.updated_at, deal.updated_at]);
      expect(await openJobs(workspace.table, 'move-deals')).toEqual([]);
      expect(await left(workspace, pipeline, owner.user.account_id)).toHaveLength(4);
      for (const { user } of [owner, member])
        expect(await storedNotifications(workspace, user.id)).toEqual([]);
    },
  );

  longIt('follows a replacement that is replaced, in any order of the jobs', async () => {
    for (const turned of [false, true]) {
      const { owner, pipeline, own } = await given();
      await givenDealIn(owner, pipeline, 1);
      await replace(owner, pipeline, 0, 1);
      await replace(owner, pipeline, 1, 2);
      expect(await countsOf(owner, pipeline)).toEqual(['C 3', 'Won 0', 'Lost 0']);
      const jobs = await openJobs(workspace.table, 'move-deals');
      for (const { id, body } of turned ? jobs.reverse() : jobs)
        expect((await deliverMessages(handler, [{ job_id: id, ...body }])).failed).toEqual([]);
      expect(await countsOf(owner, pipeline)).toEqual(['C 3', 'Won 0', 'Lost 0']);
      expect((await dealOf(owner, own.id)).stage.name).toBe('C');
      expect(await left(workspace, pipeline, owner.user.account_id)).toHaveLength(3);
    }
  });

  longIt(
    'a stage that is about to get deals has them: it is not deleted without another, nor its pipeline',
    async () => {
      const { owner, pipeline } = await given();
      await replace(owner, pipeline, 0, 1);
      const params = { pipeline_id: pipeline.id, id: idAt(pipeline, 1) };
      expect(await codeOf(owner.api.deleteStage({ params, body: {} }))).toBe('422 stage_has_deals');
      const stage = { kind: 'won' as const };
      expect(await codeOf(owner.api.updateStage({ params, body: { stage } }))).toBe('422 stage_has_deals');
      expect(await codeOf(owner.api.deletePipeline({ params: { id: pipeline.id } }))).toBe(
        '422 pipeline_has_deals',
      );
      await runMoves(workspace);
    },
  );

  it('leaves deals alone that are moved or deleted before it, and takes none in meanwhile', async () => {
    const { owner, member, pipeline, own, hidden } = await given();
    await replace(owner, pipeline, 0, 1);
    await owner.api.updateDeal({ params: { id: own.id }, body: { deal: { stage_id: idAt(pipeline, 2) } } });
    await member.api.deleteDeal({ params: { id: hidden.id } });
    const late = { name: 'Late', pipeline_id: pipeline.id, stage_id: idAt(pipeline, 0) };
    expect(await codeOf(owner.api.createDeal({ body: { deal: late } }))).toBe('404 record_not_found');
    await runMoves(workspace);
    expect(await countsOf(owner, pipeline)).toEqual(['B 0', 'C 1', 'Won 0', 'Lost 0']);
  });

  longIt('continues with another message, and two workers at once move each deal once', async () => {
    const { owner, pipeline } = await given();
    for (let i = 0; i < 25; i++) await givenDealIn(owner, pipeline, 0);
    await replace(owner, pipeline, 0, 1);
    const [job] = await openJobs(workspace.table, 'move-deals');
    const message = { job_id: job?.id, ...job?.body };
    await deliverMessages(handler, [message], 0);
    expect(await openJobs(workspace.table, 'move-deals')).toHaveLength(1);
    const both = await Promise.all(
      [runMoves(workspace), runMoves(workspace)].map((run) => run.catch(String)),
    );
    expect(both).toContain(undefined);
    await runMoves(workspace);
    expect((await deliverMessages(handler, [message])).failed).toEqual([]);
    expect(await countsOf(owner, pipeline)).toEqual(['B 27', 'C 0', 'Won 0', 'Lost 0']);
    const { total_results } = (await owner.reader.listDeals({ query: { stage_id: idAt(pipeline, 1) } })).body
      .collection;
    expect(total_results).toBe(26);
  });

  longIt('ends the same, whichever call fails or is the last', async () => {
    for (let call = 1; call <= 16; call += SHORT_STRIDE)
      for (const fault of [
        () => failCall(workspace.table, call, 'before'),
        () => failCall(workspace.table, call, 'after'),
        () => crashAfter(workspace.table, call),
      ]) {
        const { owner, member, pipeline, own, hidden } = await given();
        await replace(owner, pipeline, 0, 4);
        const injected = fault();
        await runMoves(workspace).catch((error) => expect(String(error)).toContain('Injected fault'));
        injected.remove();
        expect(await countsOf(owner, pipeline)).toEqual(['B 0', 'C 0', 'Won 0', 'Lost 2']);
        await runMoves(workspace);
        expect(await countsOf(owner, pipeline)).toEqual(['B 0', 'C 0', 'Won 0', 'Lost 2']);
        expect(await left(workspace, pipeline, owner.user.account_id)).toHaveLength(4);
        for (const [user, id] of [
          [owner, own.id],
          [member, hidden.id],
        ] as const)
          expect((await dealOf(user, id)).status).toBe('lost');
        const { total_results } = (await member.reader.listDeals({ query: { slice: 'lost' } })).body
          .collection;
        expect(total_results).toBe(2);
      }
  });
});
