import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import { givenDealIn } from '../../support/deals.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall, meanwhile } from '../../support/faults.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { firstPipelineOf, givenPipeline, givenTeam, stagesOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /pipelines/{pipeline_id}/stages/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const stageOf = (pipeline: PipelineRecord, place: number) => pipeline.stages[place]?.id as string;
  const remove = (pipeline_id: string, id: string, user: TestUser = workspace.ada, body?: object) =>
    user.api.deleteStage({ params: { pipeline_id, id }, ...(body ? { body: body as never } : {}) });
  const few = () =>
    givenPipeline(workspace.ada, randomUUID(), {
      stages: [{ name: 'A' }, { name: 'B' }, { name: 'Won', kind: 'won' }],
    });

  it('204: the stage is gone, the others are renumbered, and its name is free', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const id = stageOf(first, 1);
    expect((await remove(first.id, id.toUpperCase(), owner)).status).toBe(204);
    expect(await stagesOf(owner, first.id)).toEqual([
      '0 Lead',
      '1 Proposal',
      '2 Negotiation',
      '3 Won',
      '4 Lost',
    ]);
    expect((await firstPipelineOf(owner)).updated_at).not.toBeNull();
    expect(await codeOf(remove(first.id, id, owner))).toBe('404 record_not_found');
    const call = { params: { pipeline_id: first.id }, body: { stage: { name: 'Qualified' } } };
    expect((await owner.api.createStage(call)).status).toBe(201);
  });

  it('204: all won and lost stages may go', async () => {
    const pipeline = await few();
    await remove(pipeline.id, stageOf(pipeline, 2));
    expect(await stagesOf(workspace.ada, pipeline.id)).toEqual(['0 A', '1 B']);
  });

  it('422 stage_is_last_open', async () => {
    const pipeline = await few();
    await remove(pipeline.id, stageOf(pipeline, 0));
    const body = { replacement_stage_id: stageOf(pipeline, 2) };
    for (const sent of [undefined, body])
      expect(await codeOf(remove(pipeline.id, stageOf(pipeline, 1), workspace.ada, sent))).toBe(
        '422 stage_is_last_open',
      );
    expect(await stagesOf(workspace.ada, pipeline.id)).toEqual(['0 B', '1 Won']);
  });

  longIt('422 stage_has_deals while it has any; deals in other stages do not matter', async () => {
    const pipeline = await few();
    const deal = await givenDealIn(workspace.ada, pipeline);
    for (const body of [undefined, {}, { replacement_stage_id: null }])
      expect(await codeOf(remove(pipeline.id, stageOf(pipeline, 0), workspace.ada, body))).toBe(
        '422 stage_has_deals',
      );
    expect((await remove(pipeline.id, stageOf(pipeline, 2))).status).toBe(204);
    await workspace.ada.api.deleteDeal({ params: { id: deal.id } });
    expect((await remove(pipeline.id, stageOf(pipeline, 0))).status).toBe(204);
  });

  it('422 when a deal comes meanwhile; a deal that is later finds no stage', async () => {
    const pipeline = await few();
    const deal = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      givenDealIn(workspace.ada, pipeline),
    );
    expect(await codeOf(remove(pipeline.id, stageOf(pipeline, 0)))).toBe('422 stage_has_deals');
    deal.remove();
    expect(deal.hit).toBe(true);
    const query = { stage_id: stageOf(pipeline, 0) };
    const { body } = await workspace.ada.reader.listDeals({ query });
    for (const { id } of body.collection.records) await workspace.ada.api.deleteDeal({ params: { id } });
    await remove(pipeline.id, stageOf(pipeline, 0));
    const late = { name: 'Late', pipeline_id: pipeline.id, ...query };
    const creation = workspace.ada.api.createDeal({ body: { deal: late } });
    expect(await codeOf(creation)).toBe('404 record_not_found');
  });

  it('204: a replacement in any case, which a stage without deals does not need', async () => {
    const pipeline = await few();
    const body = { replacement_stage_id: stageOf(pipeline, 1).toUpperCase() };
    expect((await remove(pipeline.id, stageOf(pipeline, 0), workspace.ada, body)).status).toBe(204);
  });

  it('404: a replacement that is unknown, or of another account', async () => {
    const pipeline = await few();
    const foreign = await firstPipelineOf(workspace.hank);
    for (const replacement_stage_id of [randomUUID(), pipeline.id, stageOf(foreign, 0)])
      expect(
        await codeOf(remove(pipeline.id, stageOf(pipeline, 0), workspace.ada, { replacement_stage_id })),
      ).toBe('404 record_not_found');
    expect(await stagesOf(workspace.ada, pipeline.id)).toHaveLength(3);
  });

  it('400: a replacement that is itself, of another pipeline, or no id', async () => {
    const pipeline = await few();
    const other = await few();
    const id = stageOf(pipeline, 0);
    for (const [replacement_stage_id, code] of [
      [id, 'invalid'],
      [stageOf(other, 0), 'invalid'],
      ['x', 'invalid_format'],
      ['', 'invalid_format'],
      [1, 'invalid'],
      [[], 'invalid'],
    ] as const)
      expect(
        await problemsOf(remove(pipeline.id, id, workspace.ada, { replacement_stage_id })),
        String(replacement_stage_id),
      ).toEqual({ replacement_stage_id: code });
    expect(await stagesOf(workspace.ada, pipeline.id)).toHaveLength(3);
  });

  it('403 for members; 404 for a stage that is unknown, of another pipeline or of another account', async () => {
    const { owner, member } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const other = await givenPipeline(owner, 'Other');
    expect(await codeOf(remove(first.id, stageOf(first, 0), member))).toBe('403 permission_denied');
    const foreign = await firstPipelineOf(workspace.ada);
    for (const [pipeline_id, id] of [
      [first.id, stageOf(other, 0)],
      [first.id, randomUUID()],
      [foreign.id, stageOf(foreign, 0)],
      [other.id, stageOf(first, 0)],
    ] as const)
      for (const user of [owner, member])
        expect(await codeOf(remove(pipeline_id, id, user))).toBe('404 record_not_found');
  });

  it('of the last two open stages that are deleted at once, one stays', async () => {
    for (let round = 0; round < 3; round++) {
      const pipeline = await few();
      const responses = await Promise.allSettled(
        [0, 1].map((place) => remove(pipeline.id, stageOf(pipeline, place))),
      );
      const codes = responses.map((each) => (each.status === 'fulfilled' ? 204 : each.reason.code));
      expect(codes.sort()).toEqual([204, 'stage_is_last_open']);
    }
  });

  it('one that is deleted and renamed at once is gone', async () => {
    const pipeline = await few();
    const params = { pipeline_id: pipeline.id, id: stageOf(pipeline, 0) };
    await Promise.allSettled([
      workspace.ada.api.updateStage({ params, body: { stage: { name: 'Renamed' } } }),
      remove(params.pipeline_id, params.id),
    ]);
    expect(await stagesOf(workspace.ada, pipeline.id)).toEqual(['0 B', '1 Won']);
  });

  it('is there or gone, whichever call fails, and a retry deletes it', async () => {
    for (let call = 1; call <= 7; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { owner } = await givenTeam(workspace);
        const first = await firstPipelineOf(owner);
        const fault = failCall(workspace.table, call, when);
        await remove(first.id, stageOf(first, 0), owner).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        expect([5, 6]).toContain((await stagesOf(owner, first.id)).length);
        await remove(first.id, stageOf(first, 0), owner).catch((error) => expect(error.status).toBe(404));
        expect((await stagesOf(owner, first.id))[0]).toBe('0 Qualified');
      }
  });
});
