import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { reduced, STRIDE } from '../../support/long.ts';
import { givenCopies, givenPipeline, givenTeam, orderOf, pipelinesOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /pipelines', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const create = (pipeline: unknown, user: TestUser = workspace.ada, key?: string) =>
    user.api.createPipeline({
      body: { pipeline } as never,
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    });

  it('201: the pipeline with its stages in the order of the list', async () => {
    const { owner } = await givenTeam(workspace);
    const { status, body } = await create(
      {
        name: ' Pilot projects ',
        currency: 'eur',
        default: true,
        position: 0,
        stages: [
          { name: 'Asked', probability: 20, color: '#2F6FED' },
          { name: 'Signed', kind: 'won' },
          { name: 'Lost', kind: 'lost', probability: 0 },
          { name: ' Parked ' },
        ],
      },
      owner,
    );
    expect(status).toBe(201);
    const common = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: owner.user.id,
      deal_count: 0,
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    };
    expect(body.pipeline).toEqual({
      ...{ ...common, name: 'Pilot projects', currency: 'EUR', default: true, position: 0 },
      stages: [
        { ...common, name: 'Asked', kind: 'open', probability: 20, color: '#2F6FED', position: 0 },
        { ...common, name: 'Signed', kind: 'won', probability: 100, color: null, position: 1 },
        { ...common, name: 'Lost', kind: 'lost', probability: 0, color: null, position: 2 },
        { ...common, name: 'Parked', kind: 'open', probability: null, color: null, position: 3 },
      ],
    });
    expect((await pipelinesOf(owner))[0]).toEqual(body.pipeline);
    expect(await orderOf(owner)).toEqual(['0 Pilot projects*', '1 Sales']);
  });

  it('201: only the name is needed; it comes last, with the usual stages, and is not the default', async () => {
    const { owner } = await givenTeam(workspace);
    const { pipeline } = (await create({ name: 'Partners' }, owner)).body;
    expect(pipeline).toMatchObject({ currency: null, default: false, position: 1 });
    const stages = pipeline.stages.map(({ name, kind, probability }) => `${name} ${kind} ${probability}`);
    expect(stages).toEqual([
      'Lead open 10',
      'Qualified open 25',
      'Proposal open 50',
      'Negotiation open 75',
      'Won won 100',
      'Lost lost 0',
    ]);
    expect(await orderOf(owner)).toEqual(['0 Sales*', '1 Partners']);
  });

  it.each([
    [0, ['0 New', '1 Sales*', '2 Partners']],
    [1, ['0 Sales*', '1 New', '2 Partners']],
    [2, ['0 Sales*', '1 Partners', '2 New']],
    [1_000_000, ['0 Sales*', '1 Partners', '2 New']],
  ])('position %i inserts and renumbers', async (position, order) => {
    const { owner } = await givenTeam(workspace);
    await givenPipeline(owner, 'Partners');
    const { body } = await create({ name: 'New', position, default: false }, owner);
    expect(await orderOf(owner)).toEqual(order);
    expect(`${body.pipeline.position} New`).toBe(order.find((each) => each.endsWith('New')));
  });

  it('by an admin, and 403 for members', async () => {
    const { ada, grace } = workspace;
    expect(await codeOf(create({ name: 'Mine' }, grace))).toBe('403 permission_denied');
    expect((await pipelinesOf(ada)).map(({ name }) => name)).not.toContain('Mine');
    await workspace.table.update(
      { PK: grace.user.PK, SK: grace.user.SK },
      { set: { role: 'admin' } as never },
    );
    expect((await create({ name: 'Mine' }, grace)).body.pipeline.user_id).toBe(grace.user.id);
    await workspace.table.update(
      { PK: grace.user.PK, SK: grace.user.SK },
      { set: { role: 'member' } as never },
    );
  });

  it('409 pipeline_name_taken: compared without case and white space around it', async () => {
    await create({ name: 'Straße' });
    for (const name of ['Straße', ' STRASSE ', 'sales']) {
      const failure = await failureOf(create({ name }));
      expect([failure.status, failure.code]).toEqual([409, 'pipeline_name_taken']);
      expect(failure.fields.name?.code).toBe('taken');
    }
    expect((await create({ name: 'Straße' }, workspace.hank)).status).toBe(201);
  });

  it('409 stage_name_taken: two stages of one name in one request', async () => {
    const stages = [{ name: 'Asked' }, { name: 'Won', kind: 'won' }, { name: ' ASKED ' }];
    const failure = await failureOf(create({ name: 'Doubled', stages }));
    expect([failure.status, failure.code]).toEqual([409, 'stage_name_taken']);
    expect(failure.fields['stages.2.name']?.code).toBe('taken');
  });

  const open = { name: 'Open' };
  it.each([
    ['no name', {}, { name: 'required' }],
    ['null for the name', { name: null }, { name: 'required' }],
    ['an empty name', { name: ' ' }, { name: 'required' }],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['NUL', { name: 'a\0b' }, { name: 'invalid_format' }],
    ['a number for the name', { name: 1 }, { name: 'invalid' }],
    ['no currency', { name: 'Bad', currency: 'EURO' }, { currency: 'invalid_format' }],
    ['an unknown currency', { name: 'Bad', currency: 'QQQ' }, { currency: 'invalid_format' }],
    ['an empty currency', { name: 'Bad', currency: '' }, { currency: 'invalid_format' }],
    ['a number for the currency', { name: 'Bad', currency: 978 }, { currency: 'invalid' }],
    ['text for the default', { name: 'Bad', default: 'yes' }, { default: 'invalid' }],
    ['null for the default', { name: 'Bad', default: null }, { default: 'invalid' }],
    ['a negative position', { name: 'Bad', position: -1 }, { position: 'invalid' }],
    ['a position between two', { name: 'Bad', position: 0.5 }, { position: 'invalid' }],
    ['null for the position', { name: 'Bad', position: null }, { position: 'invalid' }],
    ['text for the position', { name: 'Bad', position: '0' }, { position: 'invalid' }],
    ['null for the stages', { name: 'Bad', stages: null }, { stages: 'invalid' }],
    ['text for the stages', { name: 'Bad', stages: 'Lead' }, { stages: 'invalid' }],
    ['no stages', { name: 'Bad', stages: [] }, { stages: 'invalid' }],
    ['no open stage', { name: 'Bad', stages: [{ name: 'Won', kind: 'won' }] }, { stages: 'invalid' }],
    [
      '51 stages',
      { name: 'Bad', stages: Array.from({ length: 51 }, (_, i) => ({ name: `Stage ${i}` })) },
      { stages: 'too_long' },
    ],
    ['a stage without a name', { name: 'Bad', stages: [open, {}] }, { 'stages.1.name': 'required' }],
    ['text for a stage', { name: 'Bad', stages: [open, 'Won'] }, { 'stages.1': 'invalid' }],
    [
      'a stage that is wrong in every field',
      { name: 'Bad', stages: [open, { name: '', kind: 'paused', probability: 101, color: 'red' }] },
      {
        'stages.1.name': 'required',
        'stages.1.kind': 'invalid',
        'stages.1.probability': 'invalid',
        'stages.1.color': 'invalid_format',
      },
    ],
    [
      'a won stage of 50 percent',
      { name: 'Bad', stages: [open, { name: 'Won', kind: 'won', probability: 50 }] },
      { 'stages.1.probability': 'invalid' },
    ],
    [
      'a lost stage of 50 percent',
      { name: 'Bad', stages: [open, { name: 'Lost', kind: 'lost', probability: 50 }] },
      { 'stages.1.probability': 'invalid' },
    ],
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
  ])('400: %s', async (_, pipeline, problems) => {
    expect(await problemsOf(create(pipeline))).toEqual(problems);
  });

  it('400: without the wrapper; unknown keys are ignored', async () => {
    const bare = workspace.ada.api.createPipeline({ body: { name: 'Bare' } as never });
    expect(await problemsOf(bare)).toEqual({ pipeline: 'required' });
    expect((await create({ name: 'Round', shape: 'round' })).status).toBe(201);
  });

  it('takes 50 stages and names of 255 characters, with a key', async () => {
    const { owner } = await givenTeam(workspace);
    const nameOf = (i: number) => `${'\u{1F6A2}'.repeat(253)}${String(i).padStart(2, '0')}`;
    const stages = Array.from({ length: 50 }, (_, i) => ({ name: nameOf(i), color: '#2F6FED' }));
    const { body } = await create({ name: nameOf(0), stages }, owner, 'large');
    expect(body.pipeline.stages.map(({ name }) => name)).toEqual(stages.map(({ name }) => name));
    expect((await create({ name: nameOf(0), stages }, owner, 'large')).body).toEqual(body);
    await owner.api.deletePipeline({ params: { id: body.pipeline.id } });
    expect(await orderOf(owner)).toEqual(['0 Sales*']);
  });

  it('with an Idempotency-Key, a repeat gets the first response and creates nothing', async () => {
    const { owner } = await givenTeam(workspace);
    const key = randomUUID();
    const first = await create({ name: 'Once' }, owner, key);
    const again = await create({ name: 'Other' }, owner, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await orderOf(owner)).toEqual(['0 Sales*', '1 Once']);
  });

  it('400: an account has at most 100 pipelines; one that is deleted makes room', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await givenPipeline(owner, 'Copied', { stages: [open] });
    await givenCopies(workspace.table, owner.user.account_id, id, 98);
    expect(await problemsOf(create({ name: 'One too many' }, owner))).toEqual({ pipeline: 'invalid' });
    const [first] = await pipelinesOf(owner);
    await owner.api.deletePipeline({ params: { id: first?.id as string } });
    expect((await create({ name: 'One too many' }, owner)).body.pipeline.position).toBe(99);
  });

  it('creates one of many concurrent pipelines with one name, also as the first change', async () => {
    const { owner } = await givenTeam(workspace);
    const responses = await Promise.allSettled(
      Array.from({ length: reduced(40) }, () => create({ name: 'Race' }, owner)),
    );
    expect(responses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const response of responses)
      if (response.status === 'rejected')
        expect(response.reason).toMatchObject({ status: 409, code: 'pipeline_name_taken' });
    expect(await orderOf(owner)).toEqual(['0 Sales*', '1 Race']);
  });

  it('of several that become the default at once, one is it', async () => {
    const { owner } = await givenTeam(workspace);
    await Promise.all(['A', 'B', 'C'].map((name) => create({ name, default: true, position: 0 }, owner)));
    const all = await pipelinesOf(owner);
    expect(all.map(({ position }) => position)).toEqual([0, 1, 2, 3]);
    expect(all.filter((pipeline) => pipeline.default).map(({ name }) => name)).toEqual([all[0]?.name]);
  });

  it('is there once or not at all, whichever call fails, and a retry makes one', async () => {
    for (let call = 1; call <= 7; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { owner } = await givenTeam(workspace);
        const fault = failCall(workspace.table, call, when);
        await create({ name: 'Faulty', default: true }, owner).catch((error) =>
          expect(error.code).toBe('error'),
        );
        fault.remove();
        expect([['0 Sales*'], ['0 Sales', '1 Faulty*']]).toContainEqual(await orderOf(owner));
        await create({ name: 'Faulty', default: true }, owner).catch((error) =>
          expect(error.code).toBe('pipeline_name_taken'),
        );
        expect(await orderOf(owner)).toEqual(['0 Sales', '1 Faulty*']);
      }
  });
});
