import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { codeOf, failureOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, reduced, STRIDE } from '../../support/long.ts';
import { firstPipelineOf, givenPipeline, givenTeam, orderOf, pipelinesOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /pipelines/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const update = (id: string, pipeline: unknown, user: TestUser = workspace.ada) =>
    user.api.updatePipeline({ params: { id }, body: { pipeline } as never });
  const read = async (id: string, user: TestUser = workspace.ada) =>
    (await user.reader.retrievePipeline({ params: { id } })).body.pipeline;

  it('200: unsent fields stay, null clears, and updated_at is set', async () => {
    const pipeline = await givenPipeline(workspace.ada, 'Fields', { currency: 'EUR' });
    const { status, body } = await update(pipeline.id, { name: ' Everything ' });
    const updated_at = expect.stringMatching(/Z$/);
    expect(status).toBe(200);
    expect(body.pipeline).toEqual({ ...pipeline, name: 'Everything', updated_at });
    expect((await update(pipeline.id, { currency: null })).body.pipeline).toMatchObject({
      name: 'Everything',
      currency: null,
    });
    const last = (await update(pipeline.id, { currency: 'usd' })).body.pipeline;
    expect(last.currency).toBe('USD');
    expect(await read(pipeline.id)).toEqual(last);
  });

  it('200: nothing sent changes and stores nothing', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    expect((await update(first.id, {}, owner)).body.pipeline).toEqual(first);
    expect(await workspace.table.all(keys.pipelineOrder(owner.user.account_id).PK)).toEqual([]);
  });

  it('200: the pipeline that every account begins with is renamed like any other', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const { pipeline } = (await update(first.id, { name: 'Revenue' }, owner)).body;
    expect(pipeline).toMatchObject({ id: first.id, name: 'Revenue', default: true });
    expect(pipeline.stages).toEqual(first.stages);
    expect((await givenPipeline(owner, 'Sales')).position).toBe(1);
  });

  it('its old name is free again, and a change of case is no conflict', async () => {
    const { id } = await givenPipeline(workspace.ada, 'Old name');
    expect((await update(id, { name: 'OLD NAME' })).body.pipeline.name).toBe('OLD NAME');
    await update(id, { name: 'New name' });
    expect((await givenPipeline(workspace.ada, 'old name')).name).toBe('old name');
    expect(await codeOf(update(id, { name: 'Old Name' }))).toBe('409 pipeline_name_taken');
  });

  it('409 pipeline_name_taken, and nothing is changed', async () => {
    const { owner } = await givenTeam(workspace);
    await givenPipeline(owner, 'Held');
    const pipeline = await givenPipeline(owner, 'Wants');
    const sent = { name: ' held', position: 0, default: true, currency: 'EUR' };
    const failure = await failureOf(update(pipeline.id, sent, owner));
    expect([failure.status, failure.code, failure.fields.name?.code]).toEqual([
      409,
      'pipeline_name_taken',
      'taken',
    ]);
    expect(await read(pipeline.id, owner)).toEqual(pipeline);
    expect(await orderOf(owner)).toEqual(['0 Sales*', '1 Held', '2 Wants']);
  });

  it('default: true takes the default from the other, and changes nothing else of it', async () => {
    const { owner } = await givenTeam(workspace);
    const before = await firstPipelineOf(owner);
    const { id } = await givenPipeline(owner, 'Second');
    expect((await update(id, { default: true }, owner)).body.pipeline.default).toBe(true);
    expect(await orderOf(owner)).toEqual(['0 Sales', '1 Second*']);
    expect(await read(before.id, owner)).toEqual({ ...before, default: false });
    expect((await update(before.id, { default: false }, owner)).status).toBe(200);
    expect(await orderOf(owner)).toEqual(['0 Sales', '1 Second*']);
  });

  it('400: default: false on the default', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await firstPipelineOf(owner);
    expect(await problemsOf(update(id, { default: false }, owner))).toEqual({ default: 'invalid' });
    expect(await orderOf(owner)).toEqual(['0 Sales*']);
  });

  longIt('position inserts and renumbers, as in a list', async () => {
    const { owner } = await givenTeam(workspace);
    for (const name of ['B', 'C', 'D']) await givenPipeline(owner, name);
    const model = (await pipelinesOf(owner)).map(({ id }) => id);
    await fc.assert(
      fc.asyncProperty(fc.nat(3), fc.nat(5), async (which, position) => {
        const id = model[which] as string;
        model.splice(which, 1);
        model.splice(position, 0, id);
        const { pipeline } = (await update(id, { position }, owner)).body;
        const all = await pipelinesOf(owner);
        expect(all.map((each) => each.id)).toEqual(model);
        expect(all.map((each) => each.position)).toEqual([0, 1, 2, 3]);
        expect(pipeline.position).toBe(model.indexOf(id));
      }),
      { numRuns: reduced(60), endOnFailure: true },
    );
  });

  it('403 for members, and 404 for what does not exist', async () => {
    const { owner, member } = await givenTeam(workspace);
    const { id } = await firstPipelineOf(owner);
    expect(await codeOf(update(id, { name: 'Mine' }, member))).toBe('403 permission_denied');
    const foreign = await firstPipelineOf(workspace.ada);
    for (const unknown of [foreign.id, randomUUID()])
      for (const user of [owner, member])
        expect(await codeOf(update(unknown, { name: 'X' }, user))).toBe('404 record_not_found');
  });

  it.each([
    ['null for the name', { name: null }, { name: 'invalid' }],
    ['an empty name', { name: '' }, { name: 'required' }],
    ['a name of 256', { name: 'x'.repeat(256) }, { name: 'too_long' }],
    ['an unknown currency', { currency: 'ABC' }, { currency: 'invalid_format' }],
    ['null for the default', { default: null }, { default: 'invalid' }],
    ['a number for the default', { default: 1 }, { default: 'invalid' }],
    ['a negative position', { position: -1 }, { position: 'invalid' }],
    ['null for the position', { position: null }, { position: 'invalid' }],
    ['stages', { stages: [{ name: 'Lead' }] }, { stages: 'not_allowed' }],
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
    const { id } = await firstPipelineOf(workspace.ada);
    expect(await problemsOf(update(id, changes))).toEqual(problems);
  });

  it('400: without the wrapper', async () => {
    const { id } = await firstPipelineOf(workspace.ada);
    const bare = workspace.ada.api.updatePipeline({ params: { id }, body: { name: 'X' } as never });
    expect(await problemsOf(bare)).toEqual({ pipeline: 'required' });
  });

  it('two that become the default at once leave one', async () => {
    const { owner } = await givenTeam(workspace);
    const ids = [(await givenPipeline(owner, 'B')).id, (await givenPipeline(owner, 'C')).id];
    for (let round = 0; round < 3; round++) {
      await Promise.all(ids.map((id) => update(id, { default: true }, owner)));
      const chosen = (await pipelinesOf(owner)).filter((pipeline) => pipeline.default);
      expect(chosen).toHaveLength(1);
      expect(ids).toContain(chosen[0]?.id);
    }
  });

  it('concurrent changes of name, currency, position and default are all done', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await givenPipeline(owner, 'Before');
    const changes = [{ name: 'After' }, { currency: 'EUR' }, { position: 0 }, { default: true }];
    await Promise.all(changes.map((each) => update(id, each, owner)));
    expect(await read(id, owner)).toMatchObject(Object.assign({}, ...changes));
    expect(await orderOf(owner)).toEqual(['0 After*', '1 Sales']);
  });

  it('one of two pipelines gets a name that both request at once', async () => {
    const { owner } = await givenTeam(workspace);
    const ids = [(await firstPipelineOf(owner)).id, (await givenPipeline(owner, 'B')).id];
    const responses = await Promise.allSettled(ids.map((id) => update(id, { name: 'Wanted' }, owner)));
    const statuses = responses.map((each) => (each.status === 'fulfilled' ? 200 : each.reason.status));
    expect(statuses.sort()).toEqual([200, 409]);
  });

  it('everything or nothing is changed, whichever call fails, and a retry changes it', async () => {
    for (let call = 1; call <= 7; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { owner } = await givenTeam(workspace);
        const { id } = await givenPipeline(owner, 'Faulty');
        const changed = { name: 'Changed', position: 0, default: true };
        const fault = failCall(workspace.table, call, when);
        await update(id, changed, owner).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        const outcomes = [
          ['0 Sales*', '1 Faulty'],
          ['0 Changed*', '1 Sales'],
        ];
        expect(outcomes).toContainEqual(await orderOf(owner));
        await update(id, changed, owner);
        expect(await orderOf(owner)).toEqual(outcomes[1]);
        expect((await givenPipeline(owner, 'Faulty')).position).toBe(2);
      }
  });
});
