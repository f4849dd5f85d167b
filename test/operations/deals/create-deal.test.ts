import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dealOf, givenDeal } from '../../support/deals.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, SHORT_STRIDE } from '../../support/long.ts';
import { storedNotifications } from '../../support/notifications.ts';
import { firstPipelineOf, givenPipeline, givenTeam } from '../../support/pipelines.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /deals', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const create = (deal: object, user = ada) => user.api.createDeal({ body: { deal } as never });
  const organizationOf = async (user: TestUser, fields: object = {}) =>
    (await user.api.createOrganization({ body: { organization: { name: 'Acme', ...fields } } })).body
      .organization;

  it('201: what was sent, in the first open stage of the default pipeline', async () => {
    const { owner } = await givenTeam(workspace);
    const { id: pipeline_id, stages } = await firstPipelineOf(owner);
    const stage = stages[0];
    const sent = {
      name: ' Fleet renewal ',
      amount: 12_500.25,
      currency: 'eur',
      expected_close_on: '2028-02-29',
      description: ' Six boats. ',
      external_id: 'crm-1',
      custom_fields: { region: 'north', score: 7 },
    };
    const { status, body } = await create(sent, owner);
    expect(status).toBe(201);
    expect(body.deal).toEqual({
      ...sent,
      name: 'Fleet renewal',
      currency: 'EUR',
      description: 'Six boats.',
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: owner.user.id,
      pipeline_id,
      stage_id: stage?.id,
      stage: { id: stage?.id, name: 'Lead', kind: 'open', position: 0 },
      status: 'open',
      probability: 10,
      closed_at: null,
      stage_moved_at: null,
      lost_reason: null,
      position: 0,
      assigned_user_id: null,
      organization_id: null,
      organization: null,
      contact_ids: [],
      contacts: [],
      visibility: 'account',
      tags: [],
      shares: [],
      comments: [],
      tasks: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    });
    expect(await dealOf(owner, body.deal.id)).toEqual(body.deal);
    expect((await firstPipelineOf(owner)).stages.map(({ deal_count }) => deal_count)).toEqual([
      1, 0, 0, 0, 0, 0,
    ]);
  });

  it('201: in a named pipeline, with its currency; in a named stage; last in its stage', async () => {
    const { owner } = await givenTeam(workspace);
    const pipeline = await givenPipeline(owner, 'Boats', { currency: 'GBP' });
    const in_pipeline = { pipeline_id: pipeline.id.toUpperCase() };
    const first = await givenDeal(owner, in_pipeline);
    expect([first.stage.name, first.currency, first.position]).toEqual(['Lead', 'GBP', 0]);
    expect((await givenDeal(owner, { ...in_pipeline, currency: null })).currency).toBeNull();
    expect((await givenDeal(owner, { ...in_pipeline, position: 7.5 })).position).toBe(7.5);
    expect((await givenDeal(owner, in_pipeline)).position).toBe(8);
    expect((await givenDeal(owner, { ...in_pipeline, position: -1e-300 })).position).toBe(0);
    expect((await givenDeal(owner, { ...in_pipeline, position: 1e15 })).position).toBe(1e15);
    expect((await givenDeal(owner, in_pipeline)).position).toBe(1e15);
    const won = pipeline.stages[4]?.id as string;
    const deal = await givenDeal(owner, { ...in_pipeline, stage_id: won, probability: 40 });
    expect(deal).toMatchObject({ status: 'won', probability: 100, closed_at: deal.created_at, position: 0 });
  });

  it('201: without a currency of its pipeline, with that of the account', async () => {
    const { owner } = await givenTeam(workspace);
    const currencies = [(await givenDeal(owner)).currency];
    const params = { id: owner.user.account_id };
    await owner.session.updateAccount({ params, body: { account: { default_currency: 'SEK' } } });
    currencies.push((await givenDeal(owner)).currency);
    const { id: pipeline_id } = await givenPipeline(owner, 'Boats', { currency: 'GBP' });
    currencies.push((await givenDeal(owner, { pipeline_id })).currency);
    expect(currencies).toEqual([null, 'SEK', 'GBP']);
  });

  it('201: in a won or lost stage, closed since then, of which nobody is told', async () => {
    const { owner, member } = await givenTeam(workspace);
    const { stages } = await firstPipelineOf(owner);
    for (const { id: stage_id, kind } of stages.slice(-2)) {
      const deal = await givenDeal(owner, { stage_id, assigned_user_id: member.user.id });
      expect(deal).toMatchObject({ status: kind, closed_at: deal.created_at });
    }
    const told = await storedNotifications(workspace, member.user.id);
    expect(told.map(({ event }) => event)).toEqual(['deal_assigned', 'deal_assigned']);
  });

  it('201: with people and an organization, shown to those who see them', async () => {
    const person = await givenContact(ada, { name: 'Tom' });
    const hidden = await givenContact(ada, { name: 'Secret', visibility: 'private' });
    const organization = await organizationOf(ada, { visibility: 'private' });
    const contacts = [
      { id: person.id, role: 'decision maker' },
      { id: hidden.id, role: null },
      { id: person.id, role: 'again' },
    ];
    const deal = await givenDeal(ada, { contacts, organization_id: organization.id });
    expect(deal.contacts).toEqual([
      { id: person.id, name: 'Tom', role: 'decision maker' },
      { id: hidden.id, name: 'Secret', role: null },
    ]);
    expect([deal.contact_ids, deal.organization_id, deal.organization]).toEqual([
      [person.id, hidden.id],
      organization.id,
      { id: organization.id, name: 'Acme' },
    ]);
    const seen = await dealOf(linus, deal.id);
    expect([seen.contact_ids, seen.contacts.map(({ name }) => name)]).toEqual([[person.id], ['Tom']]);
    expect([seen.organization_id, seen.organization]).toEqual([null, null]);
    expect((await givenDeal(ada, { contact_ids: [person.id] })).contacts).toEqual([
      { id: person.id, name: 'Tom', role: null },
    ]);
  });

  it('201: a private one for its owner and its assignee, who is told', async () => {
    const draft = { name: 'Quiet', visibility: 'private' as const, assigned_user_id: grace.user.id };
    const { id } = await givenDeal(ada, draft);
    expect((await dealOf(grace, id)).name).toBe('Quiet');
    expect(await codeOf(linus.reader.retrieveDeal({ params: { id } }))).toBe('404 record_not_found');
    expect((await storedNotifications(workspace, grace.user.id)).at(-1)).toMatchObject({
      event: 'deal_assigned',
      payload: { id, record_type: 'deal', name: 'Quiet' },
      prompting_user_id: ada.user.id,
    });
    const before = (await storedNotifications(workspace, ada.user.id)).length;
    await givenDeal(ada, { assigned_user_id: ada.user.id });
    expect((await storedNotifications(workspace, ada.user.id)).length).toBe(before);
  });

  it('404: a pipeline, a stage, a person, an organization or an assignee that the user does not see', async () => {
    const hidden = await givenContact(grace, { visibility: 'private' });
    const organization = await organizationOf(grace, { visibility: 'private' });
    const foreign = await givenContact(workspace.hank);
    const foreignPipeline = await firstPipelineOf(workspace.hank);
    for (const about of [
      { contact_ids: [hidden.id] },
      { contacts: [{ id: foreign.id }] },
      { contact_ids: [organization.id] },
      { organization_id: organization.id },
      { organization_id: hidden.id },
      { assigned_user_id: workspace.hank.user.id },
      { assigned_user_id: randomUUID() },
      { pipeline_id: randomUUID() },
      { pipeline_id: foreignPipeline.id },
      { stage_id: randomUUID() },
      { stage_id: foreignPipeline.stages[0]?.id },
    ])
      expect(await codeOf(create({ name: 'x', ...about })), JSON.stringify(about)).toBe(
        '404 record_not_found',
      );
  });

  const many = Array.from({ length: 26 }, () => randomUUID());
  it.each<[object, Record<string, string>]>([
    [{ name: null }, { name: 'required' }],
    [{ name: ' ' }, { name: 'required' }],
    [{ name: 'a'.repeat(256) }, { name: 'too_long' }],
    [{ amount: -1 }, { amount: 'invalid' }],
    [{ amount: 1e308 }, { amount: 'invalid' }],
    [{ amount: 0.12345 }, { amount: 'invalid' }],
    [{ amount: 1e-7 }, { amount: 'invalid' }],
    [{ amount: '1' }, { amount: 'invalid' }],
    [{ currency: 'XYZ' }, { currency: 'invalid_format' }],
    [{ currency: 'euro' }, { currency: 'invalid_format' }],
    [{ probability: 101 }, { probability: 'invalid' }],
    [{ probability: 0.5 }, { probability: 'invalid' }],
    [{ expected_close_on: '2027-02-29' }, { expected_close_on: 'invalid_format' }],
    [{ expected_close_on: '0000-01-01' }, { expected_close_on: 'invalid_format' }],
    [{ position: 1e300 }, { position: 'invalid' }],
    [{ position: null }, { position: 'invalid' }],
    [{ lost_reason: 'a'.repeat(256) }, { lost_reason: 'too_long' }],
    [{ description: 'a'.repeat(20_001) }, { description: 'too_long' }],
    [{ visibility: 'linked' }, { visibility: 'invalid' }],
    [{ contact_ids: null }, { contact_ids: 'invalid' }],
    [{ contact_ids: ['x'] }, { 'contact_ids.0': 'invalid_format' }],
    [{ contact_ids: many }, { contact_ids: 'too_long' }],
    [{ contact_ids: [], contacts: [] }, { contacts: 'invalid' }],
    [{ contacts: [{}] }, { 'contacts.0.id': 'required' }],
    [{ stage_id: null }, { stage_id: 'invalid' }],
    [{ pipeline_id: 'x' }, { pipeline_id: 'invalid_format' }],
    [{ external_id: 'a'.repeat(256) }, { external_id: 'too_long' }],
    [{ custom_fields: { a: {} } }, { 'custom_fields.a': 'invalid' }],
    ...[
      'id',
      'user_id',
      'stage',
      'status',
      'closed_at',
      'stage_moved_at',
      'organization',
      'tags',
      'shares',
    ].map((field): [object, Record<string, string>] => [{ [field]: null }, { [field]: 'not_allowed' }]),
  ])('400: %j', async (sent, problems) => {
    expect(await problemsOf(create({ name: 'Deal', ...sent }))).toEqual(problems);
  });

  it('400: without a name, and for a stage of another pipeline', async () => {
    expect(await problemsOf(create({}))).toEqual({ name: 'required' });
    const { owner } = await givenTeam(workspace);
    const first = await firstPipelineOf(owner);
    const other = await givenPipeline(owner, 'Other');
    for (const sent of [
      { stage_id: other.stages[0]?.id },
      { pipeline_id: other.id, stage_id: first.stages[0]?.id },
    ])
      expect(await problemsOf(create({ name: 'x', ...sent }, owner))).toEqual({ stage_id: 'invalid' });
  });

  longIt('ten requests with one external id: one deal, counted once', async () => {
    const { owner, member } = await givenTeam(workspace);
    const all = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        create({ name: 'Once', external_id: 'ten', visibility: 'private' }, i % 2 ? owner : member).catch(
          ({ status, code }) => ({ status, code }),
        ),
      ),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    expect((await firstPipelineOf(owner)).deal_count).toBe(1);
  });

  longIt('is there once or not at all, whichever call fails', async () => {
    const { owner } = await givenTeam(workspace);
    const person = await givenContact(owner);
    let stored = 0;
    for (let call = 1; call <= 12; call += SHORT_STRIDE)
      for (const when of ['before', 'after'] as const) {
        const fault = failCall(workspace.table, call, when);
        const draft = { name: 'Faulty', external_id: `${call} ${when}`, contact_ids: [person.id] };
        await create(draft, owner).catch((error) => expect(error.code).toBe('error'));
        fault.remove();
        await create(draft, owner).catch((error) => expect(error.code).toBe('external_id_taken'));
        stored++;
        expect((await firstPipelineOf(owner)).deal_count).toBe(stored);
        for (const query of [{}, { contact_id: person.id }, { slice: 'open' as const }]) {
          const { collection } = (await owner.reader.listDeals({ query })).body;
          expect([collection.total_results, collection.records.length]).toEqual([stored, stored]);
        }
      }
  });
});
