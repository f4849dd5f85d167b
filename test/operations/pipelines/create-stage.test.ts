import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenDealIn } from '../../support/deals.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { reduced, STRIDE } from '../../support/long.ts';
import { firstPipelineOf, givenPipeline, givenTeam, stagesOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /pipelines/{pipeline_id}/stages', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = (pipeline_id: string, stage: unknown, user: TestUser = workspace.ada) =>
    user.api.createStage({ params: { pipeline_id }, body: { stage } as never });
  const few = { stages: [{ name: 'Asked' }, { name: 'Won', kind: 'won' as const }] };

  it('201: the stage at its position; its pipeline has it, and was changed', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await givenPipeline(owner, 'Few', few);
    const sent = { name: ' Demo given ', probability: 40, color: '#2F6FED', position: 1 };
    const { status, body } = await create(id.toUpperCase(), sent, owner);
    expect(status).toBe(201);
    expect(body.stage).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: owner.user.id,
      name: 'Demo given',
      kind: 'open',
      probability: 40,
      color: '#2F6FED',
      position: 1,
      deal_count: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    });
    const { pipeline } = (await owner.reader.retrievePipeline({ params: { id } })).body;
    expect(pipeline.stages[1]).toEqual(body.stage);
    expect(pipeline.updated_at).not.toBeNull();
    expect(await stagesOf(owner, id)).toEqual(['0 Asked', '1 Demo given', '2 Won']);
  });

  it('201: in the pipeline that every account begins with; the others keep their ids', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const { stage } = (await create(first.id, { name: 'Onboarding' }, owner)).body;
    expect(stage).toMatchObject({ position: 6, probability: null, kind: 'open', color: null });
    expect((await firstPipelineOf(owner)).stages).toEqual([...first.stages, stage]);
  });

  it.each([
    ['won', undefined, 100],
    ['won', null, 100],
    ['won', 100, 100],
    ['lost', undefined, 0],
    ['lost', 0, 0],
    ['open', undefined, null],
    ['open', null, null],
    ['open', 100, 100],
    ['open', 0, 0],
  ])('201: a stage of the kind %s with the probability %s has %s', async (kind, probability, has) => {
    const { id } = await givenPipeline(workspace.ada, randomUUID(), few);
    expect((await create(id, { name: 'New', kind, probability })).body.stage.probability).toBe(has);
  });

  it.each([
    [0, ['0 New', '1 Asked', '2 Won']],
    [2, ['0 Asked', '1 Won', '2 New']],
    [Number.MAX_SAFE_INTEGER, ['0 Asked', '1 Won', '2 New']],
  ])('position %i inserts and renumbers', async (position, stages) => {
    const { id } = await givenPipeline(workspace.ada, randomUUID(), few);
    const { stage } = (await create(id, { name: 'New', position })).body;
    expect(await stagesOf(workspace.ada, id)).toEqual(stages);
    expect(`${stage.position} New`).toBe(stages.find((each) => each.endsWith('New')));
  });

  it('409 stage_name_taken in the same pipeline, without case; another may have the name', async () => {
    const { id } = await givenPipeline(workspace.ada, randomUUID(), few);
    for (const name of ['Asked', ' ASKED ']) {
      const failure = await failureOf(create(id, { name }));
      expect([failure.status, failure.code, failure.fields.name?.code]).toEqual([
        409,
        'stage_name_taken',
        'taken',
      ]);
    }
    const other = await givenPipeline(workspace.ada, randomUUID());
    expect((await create(other.id, { name: 'Asked' })).status).toBe(201);
  });

  it('403 for members, 404 for a pipeline that is unknown or of another account', async () => {
    const { owner, member } = await givenTeam(workspace);
    const { id } = await firstPipelineOf(owner);
    expect(await codeOf(create(id, { name: 'Mine' }, member))).toBe('403 permission_denied');
    for (const unknown of [(await firstPipelineOf(workspace.ada)).id, randomUUID()])
      for (const user of [owner, member])
        expect(await codeOf(create(unknown, { name: 'X' }, user))).toBe('404 record_not_found');
  });

  it.each([
    ['no name', {}, { name: 'required' }],
    ['null for the name', { name: null }, { name: 'required' }],
    ['a blank name', { name: ' ' }, { name: 'required' }],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['NUL', { name: 'a\0b' }, { name: 'invalid_format' }],
    ['an array for the name', { name: ['x'] }, { name: 'invalid' }],
    ['an unknown kind', { name: 'Bad', kind: 'paused' }, { kind: 'invalid' }],
    ['null for the kind', { name: 'Bad', kind: null }, { kind: 'invalid' }],
    ['-1 percent', { name: 'Bad', probability: -1 }, { probability: 'invalid' }],
    ['101 percent', { name: 'Bad', probability: 101 }, { probability: 'invalid' }],
    ['half a percent', { name: 'Bad', probability: 0.5 }, { probability: 'invalid' }],
    ['text for the probability', { name: 'Bad', probability: '50' }, { probability: 'invalid' }],
    ['won with 99', { name: 'Bad', kind: 'won', probability: 99 }, { probability: 'invalid' }],
    ['lost with 1', { name: 'Bad', kind: 'lost', probability: 1 }, { probability: 'invalid' }],
    ['no color', { name: 'Bad', color: 'red' }, { color: 'invalid_format' }],
    ['a number for the color', { name: 'Bad', color: 255 }, { color: 'invalid' }],
    ['a negative position', { name: 'Bad', position: -1 }, { position: 'invalid' }],
    ['a position between two', { name: 'Bad', position: 1.5 }, { position: 'invalid' }],
    ['null for the position', { name: 'Bad', position: null }, { position: 'invalid' }],
    [
      'what the service sets',
      { name: 'Bad', id: 'x', user_id: null, deal_count: 1, created_at: 1, updated_at: {} },
      {
        id: 'not_allowed',
        user_id: 'not_allowed',
        deal_count: 'not_allowed',
        created_at: 'not_allowed',
        updated_at: 'not_allowed',
      },
    ],
  ])('400: %s', async (_, stage, problems) => {
    const { id } = await firstPipelineOf(workspace.ada);
    expect(await problemsOf(create(id, stage))).toEqual(problems);
  });

  it('400: without the wrapper, and for another pipeline in the body than in the path', async () => {
    const { id: pipeline_id } = await firstPipelineOf(workspace.ada);
    const send = (body: object) =>
      workspace.ada.api.createStage({ params: { pipeline_id }, body: body as never });
    expect(await problemsOf(send({ name: 'Bare' }))).toEqual({ stage: 'required' });
    expect(await problemsOf(send({ stage: { name: 'Bad' }, pipeline_id: randomUUID() }))).toEqual({
      pipeline_id: 'not_allowed',
    });
  });

  it('400: a pipeline has at most 50 stages, also when several come at once', async () => {
    const { owner } = await givenTeam(workspace);
    const stages = Array.from({ length: 48 }, (_, i) => ({ name: `Stage ${i}` }));
    const { id } = await givenPipeline(owner, 'Long', { stages });
    const responses = await Promise.allSettled(
      Array.from({ length: 4 }, (_, i) => create(id, { name: `Late ${i}` }, owner)),
    );
    const refused = responses.filter((response) => response.status === 'rejected');
    expect(refused).toHaveLength(2);
    for (const { reason } of refused)
      expect(reason).toMatchObject({ status: 400, fields: { stage: { code: 'invalid' } } });
    expect(await stagesOf(owner, id)).toHaveLength(50);
  });

  it('creates one of many concurrent stages with one name', async () => {
    const { id } = await givenPipeline(workspace.ada, randomUUID(), few);
    const responses = await Promise.allSettled(
      Array.from({ length: reduced(40) }, () => create(id, { name: 'Race' })),
    );
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const response of responses)
      if (response.status === 'rejected')
        expect(response.reason).toMatchObject({ status: 409, code: 'stage_name_taken' });
    expect(await stagesOf(workspace.ada, id)).toEqual(['0 Asked', '1 Won', '2 Race']);
  });

  it('two at once are both there', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await firstPipelineOf(owner);
    await Promise.all(['A', 'B'].map((name) => create(id, { name, position: 0 }, owner)));
    const stages = await stagesOf(owner, id);
    expect(
      stages
        .slice(0, 2)
        .map((each) => each.slice(2))
        .sort(),
    ).toEqual(['A', 'B']);
    expect(stages).toHaveLength(8);
  });

  it('is there once or not at all, whichever call fails, and takes deals when it is', async () => {
    for (let call = 1; call <= 7; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { owner } = await givenTeam(workspace);
        const { id } = await firstPipelineOf(owner);
        const fault = failCall(workspace.table, call, when);
        await create(id, { name: 'Faulty' }, owner).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        expect([6, 7]).toContain((await firstPipelineOf(owner)).stages.length);
        await create(id, { name: 'Faulty' }, owner).catch((error) =>
          expect(error.code).toBe('stage_name_taken'),
        );
        const pipeline = await firstPipelineOf(owner);
        expect(pipeline.stages.map(({ name }) => name).slice(5)).toEqual(['Lost', 'Faulty']);
        await givenDealIn(owner, pipeline, 6);
        expect((await firstPipelineOf(owner)).deal_count).toBe(1);
      }
  });
});
