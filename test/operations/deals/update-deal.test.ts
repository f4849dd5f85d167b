import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealOf, givenDeal, givenDealIn } from '../../support/deals.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall, meanwhile } from '../../support/faults.ts';
import { longIt, SHORT_STRIDE } from '../../support/long.ts';
import { storedNotifications } from '../../support/notifications.ts';
import { firstPipelineOf, givenPipeline, givenTeam } from '../../support/pipelines.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /deals/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const update = (id: string, deal: object, user = ada) =>
    user.api.updateDeal({ params: { id }, body: { deal } as never });
  const changed = async (id: string, deal: object, user = ada) => (await update(id, deal, user)).body.deal;
  const lastOf = async ({ user }: TestUser) => (await storedNotifications(workspace, user.id)).at(-1);
  const countOf = async ({ user }: TestUser) => (await storedNotifications(workspace, user.id)).length;
  const share = (id: string, user: TestUser, access: 'view' | 'edit') =>
    ada.api.createShare({
      params: { record_type: 'deals', record_id: id },
      body: { share: { user_id: user.user.id, access } },
    });

  it('200: fields that are not sent stay, null clears, and a repeat changes nothing', async () => {
    const before = await givenDeal(ada, {
      amount: 10,
      currency: 'EUR',
      lost_reason: 'no',
      expected_close_on: '2027-01-01',
      custom_fields: { a: 1, b: 2 },
    });
    const sent = { amount: 0.1, currency: null, lost_reason: null, custom_fields: { a: null, c: [] } };
    const after = await changed(before.id, sent);
    expect(after).toEqual({
      ...before,
      ...sent,
      custom_fields: { b: 2, c: [] },
      updated_at: expect.stringMatching(/Z$/),
      comments: null,
      tasks: null,
    });
    expect(await changed(before.id.toUpperCase(), sent)).toEqual(after);
    expect(await changed(before.id, {})).toEqual(after);
  });

  longIt('moves through its stages: open, won, lost and open again', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await firstPipelineOf(owner);
    const stage = (place: number) => ({ stage_id: pipeline.stages[place]?.id });
    const { id } = await givenDealIn(owner, pipeline);
    const states = [];
    for (const place of [1, 4, 4, 5, 0]) {
      const deal = await changed(id, stage(place), owner);
      const moment = deal.updated_at;
      states.push([
        deal.status,
        deal.stage.name,
        deal.probability,
        deal.closed_at === moment,
        deal.stage_moved_at === moment,
      ]);
      const counts = (await firstPipelineOf(owner)).stages.map(({ deal_count }) => deal_count);
      expect(counts).toEqual(Array.from({ length: 6 }, (_, i) => (i === place ? 1 : 0)));
    }
    expect(states).toEqual([
      ['open', 'Qualified', 25, false, true],
      ['won', 'Won', 100, true, true],
      ['won', 'Won', 100, true, true],
      ['lost', 'Lost', 0, true, true],
      ['open', 'Lead', 10, false, true],
    ]);
    expect((await dealOf(owner, id)).closed_at).toBeNull();
  });

  it('stays closed since it was won when it moves to another won stage', async () => {
    const { owner } = await givenTeam(workspace);
    const stages = [
      { name: 'A' },
      { name: 'Won', kind: 'won' as const },
      { name: 'Paid', kind: 'won' as const },
    ];
    const pipeline = await givenPipeline(owner, 'Wins', { stages });
    const { id, closed_at } = await givenDealIn(owner, pipeline, 1);
    const moved = await changed(id, { stage_id: pipeline.stages[2]?.id }, owner);
    expect([moved.stage.name, moved.closed_at]).toEqual(['Paid', closed_at]);
  });

  it('keeps a probability that was set by hand, until null follows the stage again', async () => {
    const { owner } = await givenTeam(workspace);
    const { stages } = await firstPipelineOf(owner);
    const { id } = await givenDeal(owner, { probability: 33 });
    const to = (place: number) => changed(id, { stage_id: stages[place]?.id }, owner);
    expect((await to(2)).probability).toBe(33);
    expect((await to(4)).probability).toBe(100);
    expect((await to(3)).probability).toBe(33);
    expect((await changed(id, { probability: null }, owner)).probability).toBe(75);
  });

  longIt('moves to another pipeline: its first open stage, or a named one; there it is last', async () => {
    const { owner } = await givenTeam(workspace);
    const [first, other] = [await firstPipelineOf(owner), await givenPipeline(owner, 'Other')];
    const { id } = await givenDealIn(owner, first, 2);
    await givenDealIn(owner, other, 0);
    const moved = await changed(id, { pipeline_id: other.id }, owner);
    expect([moved.pipeline_id, moved.stage.name, moved.position]).toEqual([other.id, 'Lead', 1]);
    expect(await changed(id, { pipeline_id: other.id }, owner)).toEqual(moved);
    const back = { pipeline_id: first.id, stage_id: first.stages[3]?.id, position: 4 };
    expect((await changed(id, back, owner)).stage.name).toBe('Negotiation');
    const elsewhere = { stage_id: other.stages[0]?.id };
    expect(await problemsOf(update(id, elsewhere, owner))).toEqual({ stage_id: 'invalid' });
    for (const unknown of [{ pipeline_id: randomUUID() }, { stage_id: randomUUID() }])
      expect(await codeOf(update(id, unknown, owner))).toBe('404 record_not_found');
    expect((await dealOf(owner, id)).stage.name).toBe('Negotiation');
  });

  longIt(
    'tells assignee, owner and users with a share of a move and a victory, but not who moves it',
    async () => {
      const { stages } = await firstPipelineOf(ada);
      const { id } = await givenDeal(ada, { visibility: 'private', assigned_user_id: grace.user.id });
      await share(id, linus, 'edit');
      const from_stage = expect.objectContaining({
        id: stages[0]?.id,
        name: 'Lead',
        kind: 'open',
        position: 0,
      });
      await update(id, { stage_id: stages[1]?.id }, grace);
      for (const user of [ada, linus])
        expect(await lastOf(user)).toMatchObject({
          event: 'deal_stage_moved',
          payload: {
            id,
            record_type: 'deal',
            name: 'Fleet renewal',
            from_stage,
            to_stage: { name: 'Qualified' },
          },
          prompting_user_id: grace.user.id,
        });
      const before = await countOf(grace);
      await update(id, { stage_id: stages[4]?.id }, linus);
      for (const user of [ada, grace])
        expect(await lastOf(user)).toMatchObject({
          event: 'deal_won',
          payload: { to_stage: { kind: 'won' } },
        });
      expect(await countOf(grace)).toBe(before + 1);
      await update(id, { stage_id: stages[5]?.id }, ada);
      expect(await lastOf(grace)).toMatchObject({ event: 'deal_stage_moved' });
      for (const [stage, event] of [
        [4, 'deal_won'],
        [0, 'deal_stage_moved'],
        [5, 'deal_stage_moved'],
        [0, 'deal_stage_moved'],
      ] as const) {
        const { closed_at } = await changed(id, { stage_id: stages[stage]?.id }, ada);
        expect(closed_at === null).toBe(stage === 0);
        const payload = { to_stage: { id: stages[stage]?.id } };
        expect(await lastOf(grace)).toMatchObject({ event, payload });
      }
      const none = await countOf(linus);
      await update(id, { amount: 5 }, ada);
      expect(await countOf(linus)).toBe(none);
    },
  );

  it('tells a new assignee once, and nobody of a deal of their own', async () => {
    const { stages } = await firstPipelineOf(ada);
    const { id } = await givenDeal(ada);
    const before = await countOf(grace);
    await update(id, { assigned_user_id: grace.user.id, stage_id: stages[1]?.id });
    expect(await lastOf(grace)).toMatchObject({ event: 'deal_assigned', payload: { id } });
    await update(id, { assigned_user_id: grace.user.id });
    expect(await countOf(grace)).toBe(before + 1);
    await update(id, { assigned_user_id: linus.user.id }, linus);
    expect((await dealOf(ada, id)).assigned_user_id).toBe(linus.user.id);
    expect(await lastOf(linus)).not.toMatchObject({ event: 'deal_assigned', payload: { id } });
  });

  longIt('replaces people and organization, but keeps those that the user does not see', async () => {
    const [seen, other] = [
      await givenContact(ada, { name: 'Tom' }),
      await givenContact(ada, { name: 'Una' }),
    ];
    const hidden = await givenContact(ada, { visibility: 'private' });
    const draft = { name: 'Quiet & Co', visibility: 'private' as const };
    const organization = (await ada.api.createOrganization({ body: { organization: draft } })).body
      .organization;
    const contacts = [{ id: seen.id, role: 'buyer' }, { id: hidden.id }];
    const { id } = await givenDeal(ada, { contacts, organization_id: organization.id });
    const after = await changed(id, { contact_ids: [other.id], organization_id: null }, linus);
    expect([after.contact_ids, after.organization_id]).toEqual([[other.id], null]);
    const full = await dealOf(ada, id);
    expect([full.contact_ids, full.organization_id]).toEqual([[other.id, hidden.id], organization.id]);
    expect(
      (await changed(id, { contact_ids: [seen.id, other.id] })).contacts.map(({ role }) => role),
    ).toEqual([null, null]);
    await changed(id, { contacts: [{ id: seen.id, role: 'buyer' }] });
    expect((await changed(id, { contact_ids: [seen.id] })).contacts[0]?.role).toBe('buyer');
    expect((await changed(id, { organization_id: null })).organization_id).toBeNull();
    expect(await codeOf(update(id, { contact_ids: [hidden.id] }, linus))).toBe('404 record_not_found');
    expect(await codeOf(update(id, { organization_id: organization.id }, linus))).toBe(
      '404 record_not_found',
    );
  });

  it('403 for a share to view, 404 for what is hidden or foreign; only owner and admins make it private', async () => {
    const { id } = await givenDeal(ada, { visibility: 'private' });
    expect(await codeOf(update(id, { name: 'x' }, linus))).toBe('404 record_not_found');
    await share(id, linus, 'view');
    expect(await codeOf(update(id, { name: 'x' }, linus))).toBe('403 permission_denied');
    expect(await codeOf(update(id, { name: 'x' }, workspace.hank))).toBe('404 record_not_found');
    expect(await codeOf(update(randomUUID(), { name: 'x' }))).toBe('404 record_not_found');
    const open = await givenDeal(ada);
    expect(await codeOf(update(open.id, { visibility: 'private' }, linus))).toBe('403 permission_denied');
    expect((await changed(open.id, { name: 'Theirs' }, linus)).name).toBe('Theirs');
  });

  it('409: an external id of a hidden deal, which is free after a change', async () => {
    const holder = await givenDeal(grace, { external_id: 'held', visibility: 'private' });
    const { id } = await givenDeal(ada);
    expect(await codeOf(update(id, { external_id: 'held' }))).toBe('409 external_id_taken');
    await update(holder.id, { external_id: null }, grace);
    expect((await changed(id, { external_id: 'held' })).external_id).toBe('held');
  });

  it.each<[object, Record<string, string>]>([
    [{ name: null }, { name: 'invalid' }],
    [{ amount: -0.01 }, { amount: 'invalid' }],
    [{ stage_id: null }, { stage_id: 'invalid' }],
    [{ pipeline_id: null }, { pipeline_id: 'invalid' }],
    [{ contacts: null }, { contacts: 'invalid' }],
    [{ status: 'won' }, { status: 'not_allowed' }],
    [{ closed_at: null }, { closed_at: 'not_allowed' }],
    [{ id: randomUUID() }, { id: 'not_allowed' }],
    [{ tags: [] }, { tags: 'not_allowed' }],
  ])('400: %j', async (sent, problems) => {
    const { id } = await givenDeal(ada);
    expect(await problemsOf(update(id, sent))).toEqual(problems);
  });

  longIt('moves of many at once end in one stage, counted once', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await firstPipelineOf(owner);
    const { id } = await givenDealIn(owner, pipeline);
    const moves = [1, 2, 3, 1, 2, 3].map((place) =>
      update(id, { stage_id: pipeline.stages[place]?.id }, owner),
    );
    await Promise.allSettled(moves);
    const deal = await dealOf(owner, id);
    const { stages } = await firstPipelineOf(owner);
    expect(stages.flatMap(({ id, deal_count }) => (deal_count === 0 ? [] : [[id, deal_count]]))).toEqual([
      [deal.stage_id, 1],
    ]);
    const { count } = (await owner.reader.countDeals({ query: { stage_id: deal.stage_id } })).body;
    expect(count.total).toBe(1);
  });

  it('fails for a stage that ends meanwhile', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await firstPipelineOf(owner);
    const { id } = await givenDealIn(owner, pipeline);
    const stage_id = pipeline.stages[1]?.id as string;
    const params = { pipeline_id: pipeline.id, id: stage_id };
    const deletion = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      owner.api.deleteStage({ params, body: {} }),
    );
    expect(await codeOf(update(id, { stage_id }, owner))).toBe('404 record_not_found');
    deletion.remove();
    expect(deletion.hit).toBe(true);
    expect((await dealOf(owner, id)).stage.name).toBe('Lead');
  });

  longIt('stays in a stage that is newer than the pipelines that were read', async () => {
    const { owner } = await givenTeam(workspace);
    const { id: pipeline_id } = await givenPipeline(owner, 'Late', { default: false });
    const { id } = await givenDeal(owner, { pipeline_id });
    const move = meanwhile(workspace.table, 'GetItemCommand', async () => {
      const params = { pipeline_id };
      const { stage } = (await owner.api.createStage({ params, body: { stage: { name: 'New' } } })).body;
      await update(id, { stage_id: stage.id }, owner);
    });
    const { name, stage } = await changed(id, { name: 'Renamed' }, owner);
    move.remove();
    expect(move.hit).toBe(true);
    expect([name, stage.name]).toEqual(['Renamed', 'New']);
    expect((await dealOf(owner, id)).pipeline_id).toBe(pipeline_id);
  });

  longIt('is changed as a whole or not at all, whichever call fails', async () => {
    const { owner, member } = await givenTeam(workspace);
    const pipeline = await firstPipelineOf(owner);
    const person = await givenContact(owner);
    for (let call = 1; call <= 14; call += SHORT_STRIDE)
      for (const when of ['before', 'after'] as const) {
        const { id } = await givenDealIn(owner, pipeline);
        const sent = {
          stage_id: pipeline.stages[1]?.id,
          contact_ids: [person.id],
          assigned_user_id: member.user.id,
        };
        const told = await countOf(member);
        const fault = failCall(workspace.table, call, when);
        await update(id, sent, owner).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        const deal = await dealOf(owner, id);
        const moved = deal.stage.position === 1;
        expect([deal.contact_ids.length, await countOf(member)]).toEqual(moved ? [1, told + 1] : [0, told]);
        const inStage = async (place: number) =>
          (await owner.reader.countDeals({ query: { stage_id: pipeline.stages[place]?.id as string } })).body
            .count.total;
        const counts = (await firstPipelineOf(owner)).stages.map(({ deal_count }) => deal_count);
        expect([await inStage(0), await inStage(1)]).toEqual(counts.slice(0, 2));
        await update(id, sent, owner);
        expect(await countOf(member)).toBe(told + 1);
        await owner.api.deleteDeal({ params: { id } });
      }
  });
});
