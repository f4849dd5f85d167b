import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MAX_TRIES } from '#shared/domain/assistant/answering/turn.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { keys } from '#shared/table/keys.ts';
import { deliverQuestion, openQuestions } from '../../support/assistant.ts';
import { codeOf } from '../../support/failures.ts';
import { failCall } from '../../support/faults.ts';
import { longIt, STRIDE } from '../../support/long.ts';
import { eml, givenMailbox, importMail } from '../../support/mail.ts';
import { type ModelServer, type Step, startModelServer } from '../../support/model-server.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { accept, givenContact, readContact, reject } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

let workspace: Workspace;
let ada: TestUser;
let grace: TestUser;
let mailbox: string;
let graces: string;
let number = 0;
let address = '';
let asked: Workspace['ctx']['config']['assistant'];

beforeAll(async () => {
  workspace = await startWorkspace({ files: true, own_table: true });
  ({ ada, grace } = workspace);
  [mailbox, graces] = [await givenMailbox(workspace, ada), await givenMailbox(workspace, grace)];
  asked = { ...workspace.ctx.config.assistant, questions_per_minute: 1_000 };
});
afterAll(() => workspace?.stop());
beforeEach(async () => {
  number += 1;
  address = `priya.${number}@mail-${number}.example`;
  workspace.ctx.config.assistant = { ...asked };
  await configure({ enabled: true, mode: 'suggest', instructions: null });
});
afterEach(() => workspace.setTime(undefined));

const configure = (agent_configuration: object) =>
  ada.api.updateAgentConfiguration({
    params: { agent_slug: 'auto_enrich' },
    body: { agent_configuration },
  });
const enrich = (contact_id: string, user = ada) => user.api.enrichContact({ params: { contact_id } });
const deliver = async () => {
  const jobs = await openQuestions(workspace);
  return deliverQuestion(...jobs.map(({ id }) => id));
};
const given = (draft: object = {}) =>
  givenContact(ada, { name: 'Priya Raman', email_addresses: [{ email_address: address }], ...draft });
const proposalsOf = async (record_id: string, user = ada, status: 'pending' | 'all' = 'all') =>
  (await user.reader.listProposals({ query: { record_type: 'contact', record_id, status } })).body.collection
    .records;
const shownIn = (proposal: Awaited<ReturnType<typeof proposalsOf>>[number] | undefined) =>
  Object.fromEntries(proposal?.display.changes.map(({ field, after }) => [field, after]) ?? []);

const SIGNATURE = [
  'The timetable is attached.',
  '',
  'Priya Raman',
  'Head of timetables',
  'Northern Ferries',
  'Tel: +44 20 7946 0123',
  'www.ferries.example/priya',
];
let sent = 0;
async function mail(lines: string[], owner = ada, into = mailbox, draft: object = {}) {
  sent += 1;
  const text = lines.join('\n');
  const from = `Priya Raman <${address}>`;
  const to = owner.user.email_address;
  await importMail(workspace, owner, into, [
    eml({ id: `${sent}@enrich`, from, to, subject: `S ${sent}`, text, ...draft }),
  ]);
}
/** Asked, and finished. */
async function enriched(id: string, user = ada) {
  await enrich(id, user);
  expect(await deliver()).toBe(0);
  return (await readContact(user, id)).enrichment;
}

describe('POST /contacts/{contact_id}/enrichment', () => {
  it('202 with the contact, pending; then a proposal of what its mail tells, which can be accepted', async () => {
    const { id } = await given();
    await mail(SIGNATURE);
    const { status, body } = await enrich(id);
    const pending = { status: 'pending', text: null, proposal_ids: [], finished_at: null };
    expect([status, body.contact]).toMatchObject([202, { id, enrichment: pending }]);
    expect((await readContact(ada, id)).enrichment).toMatchObject(pending);
    expect(await deliver()).toBe(0);
    const [proposal, ...others] = await proposalsOf(id);
    expect(others).toEqual([]);
    expect(proposal).toMatchObject({
      action_type: 'contact.update',
      agent_slug: 'auto_enrich',
      status: 'pending',
      user_id: ada.user.id,
      source: { type: 'thread', label: `S ${sent}` },
    });
    expect(shownIn(proposal)).toEqual({
      first_name: 'Priya',
      last_name: 'Raman',
      headline: 'Head of timetables',
      phone_numbers: '+44 20 7946 0123',
      links: 'https://www.ferries.example/priya',
      employments: 'Head of timetables Northern Ferries',
    });
    const after = await readContact(ada, id);
    expect(after).toMatchObject({ first_name: null, phone_numbers: [] });
    expect(after.enrichment).toMatchObject({
      status: 'complete',
      text: expect.stringContaining('Priya Raman'),
      proposal_ids: [proposal?.id],
      finished_at: expect.any(String),
    });
    await accept(ada, proposal?.id as string);
    const [job] = (await readContact(ada, id)).employments;
    expect(job).toMatchObject({
      title: 'Head of timetables',
      current: true,
      organization: { name: 'Northern Ferries' },
    });
    expect(await enriched(id)).toMatchObject({ status: 'complete', proposal_ids: [] });
    expect(await proposalsOf(id, ada, 'pending')).toEqual([]);
  });

  const known: [string, () => object | Promise<object>, object][] = [
    ['a headline, which stays', () => ({ headline: 'Countess' }), { headline: undefined }],
    [
      'the number in another form',
      () => ({ phone_numbers: [{ phone_number: '020 7946 0123' }] }),
      { phone_numbers: undefined },
    ],
    [
      'another number, which stays',
      () => ({ phone_numbers: [{ phone_number: '+1 555 0100 22' }] }),
      { phone_numbers: '+1 555 0100 22, +44 20 7946 0123' },
    ],
    ['the page', () => ({ links: [{ url: 'http://ferries.example/priya/' }] }), { links: undefined }],
    [
      'another given name',
      () => ({ first_name: 'Ann', last_name: 'Li' }),
      { first_name: undefined, last_name: undefined },
    ],
    ['another family name', () => ({ first_name: 'Priya', last_name: 'Rao' }), { last_name: 'Raman' }],
    [
      'another whole name',
      () => ({ name: 'The ferry lady' }),
      { first_name: undefined, last_name: undefined },
    ],
    [
      'an organization with the domain of its mail',
      async () => {
        await givenOrganization(ada, { name: 'By domain', domains: [`mail-${number}.example`] });
        return {};
      },
      { employments: 'Head of timetables By domain' },
    ],
    [
      'another title there',
      () => ({ employments: [{ title: 'Clerk', organization: { name: 'northern ferries' } }] }),
      { employments: expect.stringMatching(/Head of timetables/) },
    ],
    [
      'this title there',
      () => ({ employments: [{ title: 'head of timetables', organization: { name: 'Northern Ferries' } }] }),
      { employments: undefined },
    ],
    [
      'a job elsewhere',
      () => ({ employments: [{ title: 'Clerk', organization: { name: 'Elsewhere' } }] }),
      { employments: undefined },
    ],
  ];
  longIt.each(known)(
    'proposes what is empty or different: of a contact with %s',
    async (_, draft, expected) => {
      const { id } = await given(await draft());
      await mail(SIGNATURE);
      await enriched(id);
      const shown = shownIn((await proposalsOf(id))[0]);
      for (const [field, value] of Object.entries(expected))
        expect([field, shown[field]]).toEqual([field, value]);
    },
  );

  it.each([
    ['without an address', { email_addresses: [] }],
    ['without mail', {}],
  ])('says that nothing is new about a contact %s', async (_, draft) => {
    const { id } = await given(draft);
    expect(await enriched(id)).toMatchObject({
      status: 'complete',
      text: expect.any(String),
      proposal_ids: [],
    });
    expect(await proposalsOf(id)).toEqual([]);
  });

  it('reads only what the contact wrote, not what others quote or say', async () => {
    const { id } = await given();
    await mail(SIGNATURE, ada, mailbox, {
      from: 'Tom <tom@ferries.example>',
      cc: address,
    });
    expect(await enriched(id)).toMatchObject({ status: 'complete', proposal_ids: [] });
  });

  longIt('asks once while it is pending, and leaves an unanswered proposal as it is', async () => {
    const { id } = await given();
    await mail(SIGNATURE);
    await Promise.all([enrich(id), enrich(id), enrich(id)]);
    expect(await openQuestions(workspace)).toHaveLength(1);
    await deliver();
    const [proposal] = await proposalsOf(id);
    const again = await enriched(id);
    expect(again?.proposal_ids).toEqual([proposal?.id]);
    expect(await proposalsOf(id)).toHaveLength(1);
  });

  longIt('replaces its unanswered proposal when newer mail says something else', async () => {
    const { id } = await given();
    await mail(SIGNATURE);
    const first = await enriched(id);
    await mail(['Priya Raman', 'Director, Southern Ferries'], ada, mailbox, {
      date: 'Tue, 03 Nov 2026 10:00:00 +0000',
    });
    const second = await enriched(id);
    const [pending, ...others] = await proposalsOf(id, ada, 'pending');
    expect([others, pending?.id]).toEqual([[], second?.proposal_ids[0]]);
    expect(shownIn(pending)).toMatchObject({ headline: 'Director' });
    const old = (await proposalsOf(id)).find((each) => each.id === first?.proposal_ids[0]);
    expect(old).toMatchObject({ status: 'rejected', resolution_reason: expect.any(String) });
  });

  longIt('proposes again what was rejected, when it is asked for again', async () => {
    const { id } = await given();
    await mail(SIGNATURE);
    const first = await enriched(id);
    await reject(ada, first?.proposal_ids[0] as string);
    expect((await enriched(id))?.proposal_ids).not.toEqual(first?.proposal_ids);
    expect(await proposalsOf(id, ada, 'pending')).toHaveLength(1);
  });

  longIt('gives each user what the own mail says, and tells nobody what another one asked', async () => {
    const { id } = await given();
    await mail(SIGNATURE);
    await mail(['Priya Raman', 'Tel: +44 161 496 0999'], grace, graces);
    await enriched(id);
    expect((await readContact(grace, id)).enrichment).toBeNull();
    expect((await proposalsOf(id, grace)).length).toBe(0);
    await enriched(id, grace);
    const [graces_own] = await proposalsOf(id, grace);
    expect(shownIn(graces_own)).toMatchObject({ phone_numbers: '+44 161 496 0999' });
    expect(JSON.stringify(await proposalsOf(id, grace))).not.toContain('7946');
    expect(JSON.stringify(await proposalsOf(id))).not.toContain('0999');
  });

  longIt('applies what is new in mode auto_apply, which its user can undo', async () => {
    await configure({ mode: 'auto_apply' });
    const { id } = await given();
    await mail(SIGNATURE);
    const enrichment = await enriched(id);
    const [proposal] = await proposalsOf(id);
    expect(proposal).toMatchObject({ status: 'applied', actions: ['undo'], agent_slug: 'auto_enrich' });
    expect(enrichment?.proposal_ids).toEqual([proposal?.id]);
    expect((await readContact(ada, id)).phone_numbers).toMatchObject([{ phone_number: '+44 20 7946 0123' }]);
  });

  longIt('403 for who may look only, 404 for a hidden contact, 422 while the agent is off', async () => {
    const { id } = await given({ visibility: 'private' });
    expect(await codeOf(enrich(id, grace))).toBe('404 record_not_found');
    const share = { user_id: grace.user.id, access: 'view' as const };
    await ada.api.createShare({ params: { record_type: 'contacts', record_id: id }, body: { share } });
    expect(await codeOf(enrich(id, grace))).toBe('403 permission_denied');
    await configure({ enabled: false });
    expect(await codeOf(enrich(id))).toBe('422 assistant_unavailable');
    await configure({ enabled: true });
    workspace.ctx.config.assistant.provider = 'none';
    expect(await codeOf(enrich(id))).toBe('422 assistant_unavailable');
    expect((await readContact(ada, id)).enrichment).toBeNull();
  });

  it('429 above the limit of a minute, which questions share', async () => {
    workspace.setTime(new Date('2026-12-01T10:00:00Z'));
    workspace.ctx.config.assistant.questions_per_minute = 1;
    const { id } = await given();
    await enrich(id);
    expect(await codeOf(enrich(id))).toBe('429 rate_limited');
    await deliver();
  });
});

describe('what becomes of it', () => {
  longIt.each([
    ['the agent is turned off', () => configure({ enabled: false })],
    [
      'the user turns the assistant off',
      () =>
        workspace.table.update<User>(keys.user(workspace.account_id, ada.user.id), {
          set: { assistant_enabled: false },
        }),
    ],
  ])('failed with the reason, when %s meanwhile', async (_, change) => {
    const { id } = await given();
    await mail(SIGNATURE);
    await enrich(id);
    await change();
    expect(await deliver()).toBe(0);
    await workspace.table.update<User>(keys.user(workspace.account_id, ada.user.id), {
      set: { assistant_enabled: true },
    });
    const { enrichment } = await readContact(ada, id);
    expect(enrichment).toMatchObject({ status: 'failed', text: expect.any(String), proposal_ids: [] });
    await configure({ enabled: true });
    expect((await enriched(id))?.status).toBe('complete');
  });

  it('failed, when the user may no longer change the contact', async () => {
    const { id } = await given({ visibility: 'private' });
    const target = { record_type: 'contacts' as const, record_id: id };
    const share = { user_id: grace.user.id, access: 'edit' as const };
    const made = (await ada.api.createShare({ params: target, body: { share } })).body.share;
    await enrich(id, grace);
    const params = { ...target, id: made.id };
    await ada.api.updateShare({ params, body: { share: { access: 'view' } } });
    await deliver();
    expect((await readContact(grace, id)).enrichment?.status).toBe('failed');
  });

  longIt.each(['deleted', 'merged'] as const)('ends with a contact that is %s', async (how) => {
    const { id } = await given();
    const into = await givenContact(ada);
    await mail(SIGNATURE);
    await enrich(id);
    if (how === 'deleted') await ada.api.deleteContact({ params: { id } });
    else
      await ada.api.mergeContacts({
        params: { contact_id: into.id },
        body: { contact_id_to_merge: id },
      });
    await deliver();
    expect(await openQuestions(workspace)).toEqual([]);
    expect(await proposalsOf(into.id)).toEqual([]);
    expect((await readContact(ada, into.id)).enrichment).toBeNull();
  });

  longIt.each(['before', 'after'] as const)(
    'proposes once, whichever call fails %s it is executed',
    async (when) => {
      await mail(SIGNATURE);
      for (let call = 1, reached = true; reached; call += STRIDE) {
        const { id } = await given();
        await enrich(id);
        const jobs = (await openQuestions(workspace)).map((job) => job.id);
        const fault = failCall(workspace.table, call, when);
        await deliverQuestion(...jobs);
        fault.remove();
        reached = fault.hit;
        workspace.setTime(new Date(Date.now() + 3_600_000));
        await deliver();
        workspace.setTime(undefined);
        expect(await openQuestions(workspace)).toEqual([]);
        expect((await readContact(ada, id)).enrichment?.status).toBe('complete');
        expect(await proposalsOf(id)).toHaveLength(1);
        await ada.api.deleteContact({ params: { id } });
      }
    },
  );
});

describe('with a language model', () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await startModelServer();
    workspace.ctx.config.assistant = { ...server.config('openai'), questions_per_minute: 1_000 };
  });
  afterEach(() => server.stop());

  async function told(...script: Step[]) {
    server.script.push(...script);
    const { id } = await given();
    await mail(SIGNATURE);
    await enrich(id);
    return { id, failed: await deliver() };
  }

  longIt('proposes only what the mail says itself, of the form that a contact can have', async () => {
    await configure({ instructions: 'Titles in English.' });
    const { id } = await told({
      text: [
        'Here is what I found:',
        '- **title:** Head of timetables',
        'organization: Invented Ltd',
        'phone_number: +44 20 7946 0123',
        'phone_number: +49 30 901820',
        'link: https://evil.example/login',
        'first_name: unknown',
      ].join('\n'),
    });
    const [proposal] = await proposalsOf(id);
    expect(shownIn(proposal)).toEqual({
      headline: 'Head of timetables',
      phone_numbers: '+44 20 7946 0123',
    });
    expect(JSON.stringify(server.requests[0])).toContain('Titles in English.');
  });

  it('finds nothing when the model says none', async () => {
    const { id } = await told({ text: 'None.' });
    expect((await readContact(ada, id)).enrichment).toMatchObject({ status: 'complete', proposal_ids: [] });
  });

  longIt('failed with the reason, when it never gives an answer that can be read', async () => {
    const { id, failed } = await told({ text: 'I am a teapot.' });
    expect(failed).toBe(1);
    expect((await readContact(ada, id)).enrichment?.status).toBe('pending');
    for (let tries = 1; tries < MAX_TRIES; tries++) {
      server.script.push({ text: 'Still a teapot.' });
      await deliver();
    }
    expect((await readContact(ada, id)).enrichment).toMatchObject({
      status: 'failed',
      text: expect.stringContaining('could be read'),
    });
    expect(await openQuestions(workspace)).toEqual([]);
  });
});
