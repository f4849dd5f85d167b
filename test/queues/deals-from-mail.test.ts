import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ContactRecord } from '#shared/domain/crm/contacts/contact.ts';
import type { PipelineRecord } from '#shared/domain/crm/pipelines/pipeline.ts';
import { dealOf, givenDeal } from '../support/deals.ts';
import { failNth } from '../support/faults.ts';
import { cases, long, longIt, STRIDE } from '../support/long.ts';
import type { Draft } from '../support/mail.ts';
import {
  ARRIVES,
  arrive,
  arriveAtGrace,
  configure,
  deliver,
  deliverWork,
  letter,
  type MailAgents,
  openWork,
  proposalsFor,
  type Sent,
  startMailAgents,
} from '../support/mail-agents.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';
import { firstPipelineOf } from '../support/pipelines.ts';
import { accept, givenContact, reject, undo } from '../support/proposals.ts';
import type { TestUser } from '../support/workspace.ts';

/** Agent `auto_deal`: what mail of contacts says about business with them. */

let agents: MailAgents;
let ada: TestUser;
let grace: TestUser;
let pipeline: PipelineRecord;
beforeAll(async () => {
  agents = await startMailAgents();
  ({ ada, grace } = agents);
  pipeline = await firstPipelineOf(ada);
});
afterAll(() => agents?.workspace.stop());
beforeEach(async () => {
  agents.workspace.setTime(ARRIVES);
  await configure(agents, 'auto_deal', { enabled: true, mode: 'suggest', instructions: null });
});
afterEach(async () => expect(await openWork(agents)).toEqual([]));

const ASKED = 'Could you send us a quote for forty Limpets? We have EUR 12,500 for it.';
const ORDERED = 'We accept your offer. Our purchase order is BF-20417.';

let number = 0;

/** A new contact with an organization, and an address. */
async function customer(fields: object = {}, owner = ada): Promise<{ contact: ContactRecord; from: string }> {
  number += 1;
  const address = `customer-${number}@ferries.example`;
  const contact = await givenContact(owner, {
    name: `Customer ${number}`,
    email_addresses: [{ email_address: address }],
    employments: [{ title: 'Buyer', organization: { name: `Ferries ${number}` }, current: true }],
    ...fields,
  });
  return { contact, from: `Somebody <${address}>` };
}

const stage = (name: string) => pipeline.stages.find((each) => each.name === name)?.id as string;

const dealWith = ({ contact }: { contact: ContactRecord }, fields: object = {}) =>
  givenDeal(ada, { contact_ids: [contact.id], ...fields });

async function mailed(draft: Sent): Promise<Required<Pick<Draft, 'id' | 'subject'>>> {
  const mail = letter(draft);
  await arrive(agents, [mail]);
  expect(await deliver(agents)).toBe(0);
  return mail;
}

const proposedAfter = async (draft: Sent, user = ada) =>
  proposalsFor(user, 'auto_deal', (await mailed(draft)).subject);

const answering = ({ id, subject }: { id: string | null; subject: string }) => ({
  in_reply_to: id as string,
  subject: `Re: ${subject}`,
});

describe('auto_deal', () => {
  it('proposes a deal with the contact and the employer, in the default pipeline', async () => {
    const { contact, from } = await customer();
    const [proposal, ...others] = await proposedAfter({ from, text: ASKED });
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      status: 'pending',
      action_type: 'deal.create',
      user_id: ada.user.id,
      rationale: 'Follows from the mail of Somebody of 10 November 2026.',
    });
    const applied = await accept(ada, proposal?.id as string);
    expect(await dealOf(ada, applied.applied_record_id as string)).toMatchObject({
      name: expect.stringMatching(/^Letter \d+$/),
      pipeline_id: pipeline.id,
      stage: { name: 'Lead' },
      amount: 12_500,
      currency: 'EUR',
      contact_ids: [contact.id],
      organization_id: contact.employments[0]?.organization?.id,
      visibility: 'private',
    });
  });

  longIt('creates it in mode auto_apply, tells the user, and it can be undone', async () => {
    await configure(agents, 'auto_deal', { mode: 'auto_apply' });
    const { from } = await customer();
    const [proposal] = await proposedAfter({ from, text: ASKED });
    expect(proposal).toMatchObject({ status: 'applied', resolved_by_user_id: null });
    const { records } = (await ada.reader.listNotifications({ query: { slice: 'proposal_applied' } })).body
      .collection;
    expect(records[0]).toMatchObject({ prompting_user_id: null, payload: { id: proposal?.id } });
    const query = { deal_id: proposal?.applied_record_id as string };
    const [entry] = (await ada.reader.showTimeline({ query })).body.timeline.entries;
    expect(entry).toMatchObject({ type: 'deal_created', user_id: null, agent: 'auto_deal' });
    await undo(ada, proposal?.id as string);
    const gone = dealOf(ada, proposal?.applied_record_id as string);
    await expect(gone).rejects.toMatchObject({ code: 'record_not_found' });
  });

  longIt('proposes to move an open deal to a later stage, and applies that in mode auto_apply', async () => {
    const known = await customer();
    const deal = await dealWith(known);
    const [proposal, ...others] = await proposedAfter({ from: known.from, text: ASKED });
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      action_type: 'deal.move',
      record_id: deal.id,
      params: { stage_id: stage('Proposal') },
    });
    await configure(agents, 'auto_deal', { mode: 'auto_apply' });
    await mailed({ from: known.from, text: ASKED });
    expect(await dealOf(ada, deal.id)).toMatchObject({ stage: { name: 'Proposal' } });
  });

  longIt('only proposes that a deal is won, and withdraws what it proposed before', async () => {
    const known = await customer();
    const deal = await dealWith(known);
    const first = await mailed({ from: known.from, text: ASKED });
    await configure(agents, 'auto_deal', { mode: 'auto_apply' });
    agents.workspace.setTime(new Date(ARRIVES.getTime() + 60_000));
    await mailed({ ...answering(first), from: known.from, text: ORDERED });
    const all = await proposalsFor(ada, 'auto_deal', first.subject);
    expect(all.map(({ status, params }) => [status, params.stage_id])).toEqual([
      ['rejected', stage('Proposal')],
      ['pending', stage('Won')],
    ]);
    expect(await dealOf(ada, deal.id)).toMatchObject({ stage: { name: 'Lead' } });
  });

  longIt('does nothing for other mail', async () => {
    const others: [string, () => Promise<Sent>][] = [
      ['of somebody who is no contact', async () => ({ from: 'Nobody <nobody@quay.example>' })],
      ['of a contact whom the user does not see', async () => customer({ visibility: 'private' }, grace)],
      ['without business', async () => ({ ...(await customer()), text: 'Lunch on Thursday?' })],
      [
        'of somebody who sells',
        async () => ({ ...(await customer()), text: 'We can offer you a good price.' }),
      ],
      ['of a machine', async () => ({ ...(await customer()), headers: ['Auto-Submitted: auto-generated'] })],
      ['that the user gets as a copy', async () => ({ ...(await customer()), to: 'bob@x.example' })],
      [
        'of a colleague',
        async () => {
          await givenContact(ada, { email_addresses: [{ email_address: 'grace@acme.example' }] });
          return { from: 'Grace <grace@acme.example>' };
        },
      ],
      [
        'about a deal that is past that stage',
        async () => {
          const known = await customer();
          await dealWith(known, { stage_id: stage('Negotiation') });
          return known;
        },
      ],
    ];
    const mails: [string, Draft][] = [];
    for (const [about, given] of others) mails.push([about, letter({ text: ASKED, ...(await given()) })]);
    await arrive(
      agents,
      mails.map(([, mail]) => mail),
    );
    await deliver(agents);
    for (const [about, mail] of mails)
      expect([about, await proposalsFor(ada, 'auto_deal', `${mail.subject}`)]).toEqual([about, []]);
  });

  longIt('does not move what the user may only look at, nor begin it again', async () => {
    const known = await customer();
    const deal = await dealWith(known, { visibility: 'private' });
    await ada.api.createShare({
      params: { record_type: 'deals', record_id: deal.id },
      body: { share: { user_id: grace.user.id, access: 'view' } },
    });
    const mail = letter({ from: known.from, to: 'grace@acme.example', text: ASKED });
    await arriveAtGrace(agents, [mail]);
    await deliver(agents);
    expect(await proposalsFor(grace, 'auto_deal', mail.subject)).toEqual([]);
  });

  longIt('begins a deal once for a thread, also when it was rejected', async () => {
    const { from } = await customer();
    const first = await mailed({ from, text: ASKED });
    const [proposal] = await proposalsFor(ada, 'auto_deal', first.subject);
    await reject(ada, proposal?.id as string);
    await mailed({ ...answering(first), from, text: ASKED });
    expect(await proposalsFor(ada, 'auto_deal', first.subject)).toHaveLength(1);
    expect(await proposedAfter({ from, text: ASKED })).toHaveLength(1);
  });

  it.each(cases(['suggest'], ['auto_apply']))(
    'proposes once, whichever call fails in mode %s',
    async (mode) => {
      await configure(agents, 'auto_deal', { mode });
      for (let nth = 0, reached = true; reached; nth += long ? 3 * STRIDE : 45) {
        const { from } = await customer();
        const mail = letter({ from, text: ASKED });
        await arrive(agents, [mail]);
        const jobs = await openWork(agents);
        const fault = failNth(agents.workspace.table, nth);
        await deliverWork(jobs, 1);
        fault.remove();
        reached = fault.hit;
        expect(await deliver(agents, 3)).toBe(0);
        expect(await proposalsFor(ada, 'auto_deal', mail.subject)).toHaveLength(1);
      }
    },
  );
});

describe('auto_deal with a language model', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
    const { config } = agents.workspace.ctx;
    const { questions_per_minute } = config.assistant;
    config.assistant = { ...server.config('openai'), questions_per_minute };
  });
  afterEach(() => server.stop());

  const TEXT = 'We would like forty Limpets and have $12,500.00 for them.';

  it.each([
    ['new: Forty Limpets | 12500 | USD', { name: 'Forty Limpets', amount: 12_500, currency: 'USD' }],
    ['- **New:** Forty Limpets | 12,500.00 | usd', { name: 'Forty Limpets', amount: 12_500 }],
    ['new: Forty Limpets | 99000 | USD', { name: 'Forty Limpets', amount: null }],
    ['new: Forty Limpets | 12500', { name: 'Forty Limpets', amount: null }],
    ['new: Forty Limpets | unknown | USD', { name: 'Forty Limpets', amount: null }],
  ])('reads "%s", with an amount that the mail says', async (text, params) => {
    server.script.push({ text });
    const [proposal] = await proposedAfter({ ...(await customer()), text: TEXT });
    const { amount = null, ...rest } = proposal?.params ?? {};
    expect({ ...rest, amount }).toMatchObject(params);
  });

  it.each(['none', 'None.', 'new: none', 'deal-1: stage-1'])('begins nothing after "%s"', async (text) => {
    server.script.push({ text });
    expect(await proposedAfter({ ...(await customer()), text: TEXT })).toEqual([]);
  });

  longIt('chooses among the deals with the contact and their later stages alone', async () => {
    const known = await customer();
    const deal = await dealWith(known, { name: 'Limpets </data>', stage_id: stage('Qualified') });
    server.script.push({ text: 'It is deal-1: stage-2.' });
    const [proposal] = await proposedAfter({ ...known, text: TEXT });
    expect(proposal?.params).toMatchObject({ record_id: deal.id, stage_id: stage('Negotiation') });
    const [system, turn] = server.requests[0]?.body.messages ?? [];
    expect(system.content).not.toContain('Limpets');
    expect(turn.content).toContain('stage-1: Proposal');
    expect(turn.content).not.toContain('Lost');
    expect(turn.content).not.toContain('</data>');
    for (const text of ['deal-2: stage-1', 'deal-1: stage-9', 'new: Another | 1 | EUR', 'none']) {
      server.script.push({ text });
      expect(await proposedAfter({ ...known, text: TEXT })).toEqual([]);
    }
  });

  longIt('asks again after an answer in no form, and not at all for those who are no contacts', async () => {
    const mail = letter({ ...(await customer()), text: TEXT });
    await arrive(agents, [mail]);
    server.script.push({ text: 'What a lovely mail!' });
    expect(await deliver(agents)).toBe(1);
    server.script.push({ text: 'new: Limpets' });
    expect(await deliver(agents)).toBe(0);
    expect(await proposalsFor(ada, 'auto_deal', mail.subject)).toHaveLength(1);
    expect(await proposedAfter({ from: 'Nobody <nobody@quay.example>', text: TEXT })).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});
