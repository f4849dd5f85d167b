import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import { keys } from '#shared/table/keys.ts';
import { givenDealIn } from '../../support/deals.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, reduced, STRIDE } from '../../support/long.ts';
import { firstPipelineOf, givenPipeline, givenTeam, stagesOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /pipelines/{pipeline_id}/stages/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const stageOf = (pipeline: PipelineRecord, place: number) => pipeline.stages[place]?.id as string;
  const update = (pipeline_id: string, id: string, stage: unknown, user: TestUser = workspace.ada) =>
    user.api.updateStage({ params: { pipeline_id, id }, body: { stage } as never });
  const few = () =>
    givenPipeline(workspace.ada, randomUUID(), {
      stages: [
        { name: 'Asked', probability: 20, color: '#2F6FED' },
        { name: 'Won', kind: 'won' },
        { name: 'Lost', kind: 'lost' },
      ],
    });

  it('200: unsent fields stay, null clears, and updated_at of stage and pipeline is set', async () => {
    const pipeline = await few();
    await givenDealIn(workspace.ada, pipeline);
    const id = stageOf(pipeline, 0);
    const { status, body } = await update(pipeline.id, id.toUpperCase(), { name: ' Requested ' });
    expect(status).toBe(200);
    expect(body.stage).toEqual({
      ...pipeline.stages[0],
      name: 'Requested',
      deal_count: 1,
      updated_at: expect.stringMatching(/Z$/),
    });
    const { stage } = (await update(pipeline.id, id, { probability: null, color: null })).body;
    expect(stage).toMatchObject({ name: 'Requested', probability: null, color: null });
    const read = await workspace.ada.reader.retrievePipeline({ params: { id: pipeline.id } });
    expect(read.body.pipeline.stages).toEqual([stage, ...pipeline.stages.slice(1)]);
    expect(read.body.pipeline.updated_at).not.toBeNull();
  });

  it('200: nothing sent changes and stores nothing', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const { body } = await update(first.id, stageOf(first, 1), {}, owner);
    expect(body.stage).toEqual(first.stages[1]);
    expect(await workspace.table.all(keys.pipelineOrder(owner.user.account_id).PK)).toEqual([]);
  });

  it.each([
    ['won', undefined, 100],
    ['lost', undefined, 0],
    ['won', null, 100],
    ['lost', 0, 0],
  ])('200: an open stage that becomes %s with the probability %s has %s', async (kind, probability, has) => {
    const pipeline = await givenPipeline(workspace.ada, randomUUID());
    const { stage } = (await update(pipeline.id, stageOf(pipeline, 0), { kind, probability })).body;
    expect([stage.kind, stage.probability]).toEqual([kind, has]);
  });

  it.each([
    [undefined, null],
    [60, 60],
  ])('200: a won stage that becomes open with the probability %s has %s', async (probability, has) => {
    const pipeline = await few();
    const { stage } = (await update(pipeline.id, stageOf(pipeline, 1), { kind: 'open', probability })).body;
    expect([stage.kind, stage.probability]).toEqual(['open', has]);
  });

  longIt('position inserts and renumbers, as in a list', async () => {
    const { owner } = await givenTeam(workspace);
    const { id, stages } = await firstPipelineOf(owner);
    const model = stages.map((stage) => stage.id);
    await fc.assert(
      fc.asyncProperty(fc.nat(5), fc.nat(7), async (which, position) => {
        const moved = model[which] as string;
        model.splice(which, 1);
        model.splice(position, 0, moved);
        const { stage } = (await update(id, moved, { position }, owner)).body;
        const after = (await firstPipelineOf(owner)).stages;
        expect(after.map((each) => each.id)).toEqual(model);
        expect(after.map((each) => each.position)).toEqual([0, 1, 2, 3, 4, 5]);
        expect(stage.position).toBe(model.indexOf(moved));
      }),
      { numRuns: reduced(60), endOnFailure: true },
    );
  });

  it('409 stage_name_taken, and nothing is changed; a change of case is no conflict', async () => {
    const pipeline = await few();
    const failure = await failureOf(update(pipeline.id, stageOf(pipeline, 0), { name: ' WON', color: null }));
    expect([failure.status, failure.code, failure.fields.name?.code]).toEqual([
      409,
      'stage_name_taken',
      'taken',
    ]);
    const read = await workspace.ada.reader.retrievePipeline({ params: { id: pipeline.id } });
    expect(read.body.pipeline.stages).toEqual(pipeline.stages);
    expect((await update(pipeline.id, stageOf(pipeline, 1), { name: 'WON' })).body.stage.name).toBe('WON');
  });

  it('422 stage_is_last_open: the last open stage stays open', async () => {
    const pipeline = await few();
    for (const kind of ['won', 'lost'])
      expect(await codeOf(update(pipeline.id, stageOf(pipeline, 0), { kind }))).toBe(
        '422 stage_is_last_open',
      );
    await update(pipeline.id, stageOf(pipeline, 2), { kind: 'open' });
    expect((await update(pipeline.id, stageOf(pipeline, 0), { kind: 'won' })).body.stage.kind).toBe('won');
  });

  it('403 for members; 404 for a stage that is unknown, of another pipeline or of another account', async () => {
    const { owner, member } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const other = await givenPipeline(owner, 'Other');
    const change = { name: 'Changed' };
    expect(await codeOf(update(first.id, stageOf(first, 0), change, member))).toBe('403 permission_denied');
    const foreign = await firstPipelineOf(workspace.ada);
    for (const [pipeline_id, id] of [
      [first.id, stageOf(other, 0)],
      [first.id, stageOf(foreign, 0)],
      [first.id, first.id],
      [first.id, randomUUID()],
      [foreign.id, stageOf(foreign, 0)],
      [randomUUID(), stageOf(first, 0)],
    ] as const)
      for (const user of [owner, member])
        expect(await codeOf(update(pipeline_id, id, change, user))).toBe('404 record_not_found');
  });

  it.each([
    ['null for the name', { name: null }, { name: 'invalid' }],
    ['an empty name', { name: '' }, { name: 'required' }],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['an unknown kind', { kind: 'paused' }, { kind: 'invalid' }],
    ['null for the kind', { kind: null }, { kind: 'invalid' }],
    ['101 percent', { probability: 101 }, { probability: 'invalid' }],
    ['another certainty', { kind: 'won', probability: 0 }, { probability: 'invalid' }],
    ['a wrong color', { color: '#12' }, { color: 'invalid_format' }],
    ['a negative position', { position: -1 }, { position: 'invalid' }],
    ['null for the position', { position: null }, { position: 'invalid' }],
    [
      'what the service sets',
      { id: 'x', user_id: null, deal_count: 1, created_at: 1, updated_at: {} },
      {
        id: 'not_allowed',
        user_id: 'not_allowed',
        deal_count: 'not_allowed',
        created_at: 'not_allowed',
        updated_at: 'not_allowed',
      },
    ],
  ])('400: %s', async (_, changes, problems) => {
    const first = await firstPipelineOf(workspace.ada);
    expect(await problemsOf(update(first.id, stageOf(first, 0), changes))).toEqual(problems);
  });

  it('400: a won stage of 50 percent, and a request without the wrapper', async () => {
    const pipeline = await few();
    const id = stageOf(pipeline, 1);
    expect(await problemsOf(update(pipeline.id, id, { probability: 50 }))).toEqual({
      probability: 'invalid',
    });
    const params = { pipeline_id: pipeline.id, id };
    const bare = workspace.ada.api.updateStage({ params, body: { name: 'X' } as never });
    expect(await problemsOf(bare)).toEqual({ stage: 'required' });
  });

  it('two changes of stages at once are both done, and of one name one', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    await Promise.all([
      update(first.id, stageOf(first, 0), { name: 'A' }, owner),
      update(first.id, stageOf(first, 1), { color: '#000000' }, owner),
      update(first.id, stageOf(first, 0), { position: 5 }, owner),
    ]);
    expect((await stagesOf(owner, first.id)).at(-1)).toBe('5 A');
    expect((await firstPipelineOf(owner)).stages[0]?.color).toBe('#000000');
    const responses = await Promise.allSettled(
      [2, 3].map((place) => update(first.id, stageOf(first, place), { name: 'Wanted' }, owner)),
    );
    const statuses = responses.map((each) => (each.status === 'fulfilled' ? 200 : each.reason.status));
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it('of the last two open stages that are won at once, one stays open', async () => {
    const stages = [{ name: 'A' }, { name: 'B' }];
    const pipeline = await givenPipeline(workspace.ada, randomUUID(), { stages });
    const responses = await Promise.allSettled(
      [0, 1].map((place) => update(pipeline.id, stageOf(pipeline, place), { kind: 'won' })),
    );
    const codes = responses.map((each) => (each.status === 'fulfilled' ? 200 : each.reason.code));
    expect(codes.sort()).toEqual([200, 'stage_is_last_open']);
  });

  it('everything or nothing is changed, whichever call fails, and a retry changes it', async () => {
    for (let call = 1; call <= 7; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { owner } = await givenTeam(workspace);
        const first = await firstPipelineOf(owner);
        const changed = { name: 'Changed', position: 1 };
        const fault = failCall(workspace.table, call, when);
        await update(first.id, stageOf(first, 0), changed, owner).catch((error) =>
          expect(error.code).toBe('error'),
        );
        fault.remove();
        const outcomes = [
          ['0 Lead', '1 Qualified'],
          ['0 Qualified', '1 Changed'],
        ];
        expect(outcomes).toContainEqual((await stagesOf(owner, first.id)).slice(0, 2));
        await update(first.id, stageOf(first, 0), changed, owner);
        expect((await stagesOf(owner, first.id)).slice(0, 2)).toEqual(outcomes[1]);
      }
  });
});
