import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenDealIn } from '../../support/deals.ts';
import { codeOf } from '../../support/failures.ts';
import { failCall, meanwhile } from '../../support/faults.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { firstPipelineOf, givenPipeline, givenTeam, orderOf } from '../../support/pipelines.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /pipelines/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const remove = (id: string, user: TestUser) => user.api.deletePipeline({ params: { id } });

  it('204: it is gone with everything that was stored for it, and its name is free', async () => {
    const { owner } = await givenTeam(workspace);
    const { PK } = keys.pipelineOrder(owner.user.account_id);
    const { id } = await givenPipeline(owner, 'Short-lived');
    const stored = (await workspace.table.all(PK)).length;
    expect((await remove(id.toUpperCase(), owner)).status).toBe(204);
    expect(await orderOf(owner)).toEqual(['0 Sales*']);
    expect(await codeOf(owner.reader.retrievePipeline({ params: { id } }))).toBe('404 record_not_found');
    expect(await codeOf(remove(id, owner))).toBe('404 record_not_found');
    expect(stored - (await workspace.table.all(PK)).length).toBe(1 + 6);
    expect((await givenPipeline(owner, 'short-LIVED')).position).toBe(1);
  });

  it('the pipeline that the account began with does not come back', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    await givenPipeline(owner, 'Better');
    await remove(first.id, owner);
    expect(await orderOf(owner)).toEqual(['0 Better*']);
    expect(await codeOf(remove(first.id, owner))).toBe('404 record_not_found');
    expect((await givenPipeline(owner, 'Sales')).id).not.toBe(first.id);
  });

  it.each([
    ['A', 'A', ['0 B*', '1 C']],
    ['B', 'B', ['0 A', '1 C*']],
    ['C', 'C', ['0 A*', '1 B']],
    ['B', 'A', ['0 A*', '1 C']],
    ['A', 'C', ['0 B', '1 C*']],
  ])('without %s of A, B and C, where %s was the default', async (deleted, chosen, order) => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const ids = new Map<string, string>();
    for (const name of ['A', 'B', 'C'])
      ids.set(name, (await givenPipeline(owner, name, { default: name === chosen })).id);
    if (chosen !== 'C')
      await owner.api.updatePipeline({
        params: { id: ids.get(chosen) as string },
        body: { pipeline: { default: true } },
      });
    await remove(first.id, owner);
    await remove(ids.get(deleted) as string, owner);
    expect(await orderOf(owner)).toEqual(order);
  });

  it('422 pipeline_is_last', async () => {
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    expect(await codeOf(remove(first.id, owner))).toBe('422 pipeline_is_last');
    const { id } = await givenPipeline(owner, 'Other');
    await remove(first.id, owner);
    expect(await codeOf(remove(id, owner))).toBe('422 pipeline_is_last');
    expect(await orderOf(owner)).toEqual(['0 Other*']);
  });

  it.each([
    ['open', 0],
    ['won', 4],
    ['lost', 5],
  ])('422 pipeline_has_deals while an %s deal is in it', async (_, stage) => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Busy');
    const { id } = await givenDealIn(owner, pipeline, stage);
    expect(await codeOf(remove(pipeline.id, owner))).toBe('422 pipeline_has_deals');
    expect(await orderOf(owner)).toEqual(['0 Sales*', '1 Busy']);
    await owner.api.deleteDeal({ params: { id } });
    expect((await remove(pipeline.id, owner)).status).toBe(204);
  });

  it('422 when a deal comes meanwhile; a deal that is later finds no stage', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Race');
    const deal = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => givenDealIn(owner, pipeline));
    expect(await codeOf(remove(pipeline.id, owner))).toBe('422 pipeline_has_deals');
    deal.remove();
    expect(deal.hit).toBe(true);
    const { body } = await owner.reader.listDeals();
    for (const { id } of body.collection.records) await owner.api.deleteDeal({ params: { id } });
    await remove(pipeline.id, owner);
    const late = { name: 'Late', pipeline_id: pipeline.id };
    expect(await codeOf(owner.api.createDeal({ body: { deal: late } }))).toBe('404 record_not_found');
  });

  it('403 for members, 404 for an unknown one and one of another account', async () => {
    const { owner, member } = await givenTeam(workspace);
    const { id } = await givenPipeline(owner, 'Kept');
    expect(await codeOf(remove(id, member))).toBe('403 permission_denied');
    const foreign = await givenPipeline(workspace.ada, 'Foreign');
    for (const unknown of [foreign.id, (await firstPipelineOf(workspace.hank)).id, randomUUID()])
      for (const user of [owner, member])
        expect(await codeOf(remove(unknown, user))).toBe('404 record_not_found');
    expect(await orderOf(owner)).toEqual(['0 Sales*', '1 Kept']);
  });

  longIt('of the last two that are deleted at once, one stays', async () => {
    for (let round = 0; round < 3; round++) {
      const { owner } = await givenTeam(workspace);
      const ids = [(await firstPipelineOf(owner)).id, (await givenPipeline(owner, 'Other')).id];
      const responses = await Promise.allSettled(ids.map((id) => remove(id, owner)));
      const codes = responses.map((each) => (each.status === 'fulfilled' ? 204 : each.reason.code));
      expect(codes.sort()).toEqual([204, 'pipeline_is_last']);
      const [left] = await orderOf(owner);
      expect(left).toMatch(/^0 (Sales|Other)\*$/);
    }
  });

  it('one that several delete at once is deleted once', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await givenPipeline(owner, 'Once');
    const responses = await Promise.allSettled(Array.from({ length: 5 }, () => remove(id, owner)));
    const statuses = responses.map((each) => (each.status === 'fulfilled' ? 204 : each.reason.status));
    expect(statuses.sort()).toEqual([204, 404, 404, 404, 404]);
  });

  it('a stage that is created meanwhile goes with it', async () => {
    const { owner } = await givenTeam(workspace);
    const { id } = await givenPipeline(owner, 'Grows');
    const { PK } = keys.pipelineOrder(owner.user.account_id);
    const call = { params: { pipeline_id: id }, body: { stage: { name: 'Late' } } };
    const creation = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      owner.api.createStage(call),
    );
    await remove(id, owner);
    creation.remove();
    expect(creation.hit).toBe(true);
    expect((await workspace.table.all(PK)).filter((item) => JSON.stringify(item).includes(id))).toEqual([]);
  });

  it('is there or gone, whichever call fails, and a retry deletes it', async () => {
    for (let call = 1; call <= 6; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { owner } = await givenTeam(workspace);
        const { id } = await givenPipeline(owner, 'Faulty', { default: true });
        const fault = failCall(workspace.table, call, when);
        await remove(id, owner).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        expect([['0 Sales*'], ['0 Sales', '1 Faulty*']]).toContainEqual(await orderOf(owner));
        await remove(id, owner).catch((error) => expect(error.status).toBe(404));
        expect(await orderOf(owner)).toEqual(['0 Sales*']);
        expect((await givenPipeline(owner, 'Faulty')).position).toBe(1);
      }
  });
});
