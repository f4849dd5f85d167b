import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RecordCount } from '#shared/domain/collaboration/record-lists/limit.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { reduced, STRIDE } from '../../support/long.ts';
import { givenMilestone, milestonesOf, readMilestone } from '../../support/milestones.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /milestones', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const create = (milestone: object, user = ada, key?: string) =>
    user.api.createMilestone({
      body: { milestone } as never,
      ...(key === undefined ? {} : { headers: { 'Idempotency-Key': key } }),
    });
  const names = async (user: TestUser) => (await milestonesOf(user)).map(({ name }) => name);

  it('201: what was sent, of the key’s user', async () => {
    const contact = await givenContact(ada);
    const { status, body } = await create({
      name: ' Sea trial ',
      description: ' With all <b>limpets</b>\n',
      due_on: '2026-11-20',
      assigned_user_id: linus.user.id,
      contact_id: contact.id.toUpperCase(),
      visibility: 'private',
    });
    expect(status).toBe(201);
    expect(body.milestone).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user_id: ada.user.id,
      name: 'Sea trial',
      description: ' With all <b>limpets</b>\n',
      due_on: '2026-11-20',
      status: 'open',
      reached_at: null,
      assigned_user_id: linus.user.id,
      deal_id: null,
      space_id: null,
      organization_id: null,
      contact_id: contact.id,
      task_count: 0,
      completed_task_count: 0,
      visibility: 'private',
      shares: [],
      created_at: expect.stringMatching(/Z$/),
      updated_at: null,
    });
    for (const user of [ada, linus])
      expect(await readMilestone(user, body.milestone.id)).toEqual(body.milestone);
  });

  it('201: only the name is needed; every user sees it', async () => {
    const { milestone } = (await create({ name: 'Bare', shape: 'round' })).body;
    expect(milestone).toMatchObject({
      description: null,
      due_on: null,
      status: 'open',
      assigned_user_id: null,
      contact_id: null,
      visibility: 'account',
    });
    expect(await readMilestone(grace, milestone.id)).toEqual(milestone);
    expect(await names(workspace.hank)).toEqual([]);
  });

  it('201: reached when it is created, or missed', async () => {
    const reached = (await create({ name: 'Done', status: 'reached' })).body.milestone;
    expect([reached.status, reached.reached_at]).toEqual(['reached', reached.created_at]);
    const missed = (await create({ name: 'Gone', status: 'missed' })).body.milestone;
    expect([missed.status, missed.reached_at]).toEqual(['missed', null]);
  });

  it('404: a parent or an assignee that does not exist, is hidden or of another account', async () => {
    const hidden = await givenContact(grace, { visibility: 'private' });
    const foreign = await givenContact(workspace.hank);
    const before = await names(grace);
    for (const sent of [
      { contact_id: hidden.id },
      { contact_id: foreign.id },
      { organization_id: hidden.id },
      ...['deal_id', 'space_id', 'organization_id', 'contact_id'].map((field) => ({
        [field]: randomUUID(),
      })),
      { assigned_user_id: workspace.hank.user.id },
      { assigned_user_id: randomUUID() },
    ])
      expect(await codeOf(create({ name: 'Nowhere', ...sent })), JSON.stringify(sent)).toBe(
        '404 record_not_found',
      );
    expect(await names(grace)).toEqual(before);
  });

  it('400: more than one parent, on the second field, seen or not', async () => {
    const [contact, organization] = [await givenContact(ada), await givenOrganization(ada)];
    const both = { organization_id: organization.id, contact_id: contact.id };
    expect(await problemsOf(create({ name: 'Two', ...both }))).toEqual({ contact_id: 'invalid' });
    const all = { deal_id: randomUUID(), space_id: randomUUID(), ...both };
    expect(await problemsOf(create({ name: 'Four', ...all }))).toEqual({ space_id: 'invalid' });
    const one = { ...both, organization_id: null, deal_id: null };
    expect((await create({ name: 'One', ...one })).body.milestone.contact_id).toBe(contact.id);
  });

  it.each<[string, object, Record<string, string>]>([
    ['no name', { name: undefined }, { name: 'required' }],
    ['null for the name', { name: null }, { name: 'required' }],
    ['an empty name', { name: ' ' }, { name: 'required' }],
    ['a number for the name', { name: 7 }, { name: 'invalid' }],
    ['a name of 256', { name: 'a'.repeat(256) }, { name: 'too_long' }],
    ['a long description', { description: 'a'.repeat(20_001) }, { description: 'too_long' }],
    ['NUL', { description: 'a\0b' }, { description: 'invalid_format' }],
    ['no day of the calendar', { due_on: '2026-02-30' }, { due_on: 'invalid_format' }],
    ['a day with a time', { due_on: '2026-11-20T10:00:00Z' }, { due_on: 'invalid_format' }],
    ['an empty day', { due_on: '' }, { due_on: 'invalid_format' }],
    ['an unknown status', { status: 'late' }, { status: 'invalid' }],
    ['null for the status', { status: null }, { status: 'invalid' }],
    ['a visibility of tasks', { visibility: 'linked' }, { visibility: 'invalid' }],
    ['null for the visibility', { visibility: null }, { visibility: 'invalid' }],
    ['no UUID', { assigned_user_id: 'x' }, { assigned_user_id: 'invalid_format' }],
    ['an array for a parent', { contact_id: [] }, { contact_id: 'invalid' }],
    ['several at once', { deal_id: 'x', due_on: 1 }, { deal_id: 'invalid_format', due_on: 'invalid' }],
    [
      'what the service sets',
      {
        ...{ id: 'x', user_id: null, reached_at: null, task_count: 1, completed_task_count: 0 },
        ...{ shares: [], created_at: 1, updated_at: {} },
      },
      {
        ...{ id: 'not_allowed', user_id: 'not_allowed', reached_at: 'not_allowed' },
        ...{ task_count: 'not_allowed', completed_task_count: 'not_allowed' },
        ...{ shares: 'not_allowed', created_at: 'not_allowed', updated_at: 'not_allowed' },
      },
    ],
  ])('400: %s', async (_, sent, problems) => {
    expect(await problemsOf(create({ name: 'Bad', ...sent }))).toEqual(problems);
  });

  it('400: without the wrapper', async () => {
    const bare = ada.api.createMilestone({ body: { name: 'Bare' } as never });
    expect(await problemsOf(bare)).toEqual({ milestone: 'required' });
  });

  it('with an Idempotency-Key, a repeat gets the first response, however large, and creates nothing', async () => {
    const key = randomUUID();
    const large = { name: '\u{1F6A2}'.repeat(255), description: '\u0001'.repeat(20_000) };
    const first = await create(large, ada, key);
    expect(first.body.milestone).toMatchObject(large);
    const again = await create({ name: 'Other' }, ada, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const copies = (await names(ada)).filter((name) => name === large.name || name === 'Other');
    expect(copies).toEqual([large.name]);
  });

  it('400: an account has at most 500; one that is deleted makes room, for one of many at once', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    const { account_id } = owner.user;
    const { id } = await givenMilestone(owner);
    const set = { record_count: 500 };
    await workspace.table.update<RecordCount>(keys.recordCount(account_id, 'milestones'), { set });
    expect(await problemsOf(create({ name: 'One too many' }, owner))).toEqual({ milestone: 'invalid' });
    await owner.api.deleteMilestone({ params: { id } });
    const made = await Promise.all(
      Array.from({ length: reduced(12) }, (_, i) =>
        create({ name: `Raced ${i}` }, owner).catch(({ fields }) => fields.milestone.code),
      ),
    );
    expect(made.filter((each) => each !== 'invalid')).toHaveLength(1);
    expect(await names(owner)).toHaveLength(1);
  });

  it('is there once or not at all, whichever call fails, and a repeat with the key makes one', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    const contact = await givenContact(owner);
    let wanted = 0;
    for (let nth = 0, hit = true; hit; nth += STRIDE) {
      const draft = { name: `Faulty ${nth}`, contact_id: contact.id };
      const key = randomUUID();
      const fault = failNth(workspace.table, nth);
      await create(draft, owner, key).catch(({ status }) => expect(status).toBe(500));
      fault.remove();
      hit = fault.hit;
      // The key may be claimed until its lease ends.
      workspace.setTime(new Date(Date.now() + 60_000 * ++wanted));
      const { milestone } = (await create(draft, owner, key)).body;
      const all = await milestonesOf(owner);
      expect(all.filter(({ name }) => name === draft.name)).toEqual([milestone]);
      const { record_count } = (await workspace.table.get<RecordCount>(
        keys.recordCount(owner.user.account_id, 'milestones'),
      )) as RecordCount;
      expect([all.length, record_count]).toEqual([wanted, wanted]);
    }
    workspace.setTime(undefined);
    expect(wanted).toBeGreaterThan(9 / STRIDE);
  });
});
