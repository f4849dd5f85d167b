import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { User } from '#shared/domain/identity/users/user.ts';
import type { Milestone } from '#shared/domain/work/milestones/milestone.ts';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { failNth, meanwhile } from '../../support/faults.ts';
import { longIt, reduced, STRIDE } from '../../support/long.ts';
import { givenMilestone, givenStep, milestonesOf, readMilestone } from '../../support/milestones.ts';
import { givenOrganization } from '../../support/organizations.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /milestones/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const change = (id: string, milestone: object, user = ada) =>
    user.api.updateMilestone({ params: { id }, body: { milestone: milestone as never } });
  const changed = async (id: string, milestone: object, user = ada) =>
    (await change(id, milestone, user)).body.milestone;
  const rowsUnder = async (contact_id: string) =>
    (await workspace.table.all(keys.record('contacts', contact_id).PK, 'LINKED#')).length;

  it('200: changes what is sent, clears what is null, keeps the rest', async () => {
    const contact = await givenContact(ada);
    const draft = { description: 'x', due_on: '2026-12-01', assigned_user_id: linus.user.id };
    const before = await givenMilestone(ada, { ...draft, contact_id: contact.id });
    await givenStep(ada, before.id);
    const after = await changed(before.id, { name: ' Other ', description: null, due_on: null });
    expect(after).toEqual({
      ...{ ...before, name: 'Other', description: null, due_on: null, task_count: 1 },
      updated_at: expect.stringMatching(/Z$/),
    });
    expect(await changed(before.id, {})).toEqual(after);
    expect(await changed(before.id, { name: 'Other', status: 'open', contact_id: contact.id })).toEqual(
      after,
    );
    expect((await changed(before.id, { assigned_user_id: null })).assigned_user_id).toBeNull();
    expect(await readMilestone(linus, before.id)).toMatchObject({ name: 'Other', contact_id: contact.id });
  });

  it('sets reached_at with the status, and keeps it while that stays', async () => {
    const { id } = await givenMilestone(ada);
    const at = (day: number) => {
      const moment = `2094-01-0${day}T10:00:00.000Z`;
      workspace.setTime(new Date(moment));
      return moment;
    };
    const first = at(1);
    const reached = await changed(id, { status: 'reached' });
    expect(reached.reached_at).toBe(first);
    at(2);
    expect(await changed(id, { status: 'reached' })).toEqual(reached);
    expect((await changed(id, { name: 'Still reached' })).reached_at).toBe(first);
    for (const status of ['missed', 'open'])
      expect(await changed(id, { status })).toMatchObject({ status, reached_at: null });
    const second = at(3);
    expect((await changed(id, { status: 'reached' })).reached_at).toBe(second);
    workspace.setTime(undefined);
  });

  longIt('belongs to one record: another takes its place, beside it is 400, null ends it', async () => {
    const [contact, other] = [await givenContact(ada), await givenContact(ada)];
    const organization_id = (await givenOrganization(ada)).id;
    const { id } = await givenMilestone(ada, { contact_id: contact.id });
    expect(await problemsOf(change(id, { organization_id }))).toEqual({ organization_id: 'invalid' });
    expect(await problemsOf(change(id, { organization_id, deal_id: randomUUID() }))).toEqual({
      deal_id: 'invalid',
    });
    const both = { contact_id: other.id, organization_id };
    expect(await problemsOf(change(id, both))).toEqual({ contact_id: 'invalid' });
    expect((await readMilestone(ada, id)).updated_at).toBeNull();

    expect((await changed(id, { contact_id: other.id })).contact_id).toBe(other.id);
    expect([await rowsUnder(contact.id), await rowsUnder(other.id)]).toEqual([0, 1]);
    expect((await changed(id, { organization_id: null })).contact_id).toBe(other.id);
    const moved = await changed(id, { organization_id, contact_id: null });
    expect([moved.contact_id, moved.organization_id]).toEqual([null, organization_id]);
    expect(await rowsUnder(other.id)).toBe(0);
    expect((await changed(id, { organization_id: null })).organization_id).toBeNull();
  });

  it('404: a parent or an assignee that is hidden or does not exist; nothing is changed', async () => {
    const hidden = await givenContact(grace, { visibility: 'private' });
    const before = await givenMilestone(ada);
    for (const sent of [
      { contact_id: hidden.id },
      { organization_id: randomUUID() },
      { assigned_user_id: workspace.hank.user.id },
      { assigned_user_id: randomUUID() },
    ])
      expect(await codeOf(change(before.id, { name: 'x', ...sent })), JSON.stringify(sent)).toBe(
        '404 record_not_found',
      );
    expect(await readMilestone(ada, before.id)).toEqual(before);
  });

  it('keeps an assignee who is no longer active, and takes no other such', async () => {
    const [owner, gone] = (await givenAccount(workspace, 2)) as [TestUser, TestUser];
    const assigned_user_id = gone.user.id;
    const [{ id }, other] = [await givenMilestone(owner, { assigned_user_id }), await givenMilestone(owner)];
    await workspace.table.update<User>(keys.user(gone.user.account_id, assigned_user_id), {
      set: { status: 'deactivated' },
    });
    expect(await changed(id, { name: 'x', assigned_user_id }, owner)).toMatchObject({ assigned_user_id });
    expect(await codeOf(change(other.id, { assigned_user_id }, owner))).toBe('404 record_not_found');
  });

  longIt('keeps a parent that the user does not see, unless another is sent or it is cleared', async () => {
    const hidden = await givenContact(grace, { visibility: 'private' });
    const organization_id = (await givenOrganization(ada)).id;
    const given = async () => (await givenMilestone(grace, { contact_id: hidden.id })).id;
    const seenBy = async (user: TestUser, id: string) => {
      const { contact_id, organization_id } = await readMilestone(user, id);
      return [contact_id, organization_id];
    };

    const kept = await given();
    expect((await changed(kept, { name: 'Kept', organization_id: null })).contact_id).toBeNull();
    expect([await seenBy(ada, kept), await seenBy(grace, kept)]).toEqual([
      [null, null],
      [hidden.id, null],
    ]);
    expect(await codeOf(change(kept, { contact_id: hidden.id }))).toBe('404 record_not_found');

    const replaced = await given();
    await changed(replaced, { organization_id });
    expect(await seenBy(grace, replaced)).toEqual([null, organization_id]);

    const cleared = await given();
    await changed(cleared, { contact_id: null });
    expect(await seenBy(grace, cleared)).toEqual([null, null]);
    expect(await rowsUnder(hidden.id)).toBe(1);
  });

  it('403 and 404: a share to view changes nothing, and only owner and admins make it private', async () => {
    const own = await givenMilestone(ada, { visibility: 'private' });
    expect(await codeOf(change(own.id, { name: 'x' }, linus))).toBe('404 record_not_found');
    const on = { record_type: 'milestones' as const, record_id: own.id };
    const { share } = (await ada.api.createShare({ params: on, body: { share: { user_id: linus.user.id } } }))
      .body;
    expect(await codeOf(change(own.id, { name: 'x' }, linus))).toBe('403 permission_denied');
    await ada.api.updateShare({ params: { ...on, id: share.id }, body: { share: { access: 'edit' } } });
    expect((await changed(own.id, { name: 'Shared' }, linus)).shares).toHaveLength(1);

    const everyones = await givenMilestone(ada);
    expect(await codeOf(change(everyones.id, { visibility: 'private' }, linus))).toBe(
      '403 permission_denied',
    );
    expect((await changed(everyones.id, { name: 'By anybody' }, linus)).name).toBe('By anybody');
    expect((await changed(everyones.id, { visibility: 'private' })).visibility).toBe('private');
    for (const user of [linus, workspace.hank])
      expect(await codeOf(change(everyones.id, { name: 'x' }, user))).toBe('404 record_not_found');
    expect((await milestonesOf(linus)).map(({ id }) => id)).not.toContain(everyones.id);
  });

  it('decides with its visibility who sees its tasks, in lists too', async () => {
    const { id } = await givenMilestone(ada);
    const task = await givenStep(ada, id);
    const sees = async (user: TestUser) =>
      (await user.reader.listTasks({ query: { limit: '100' as never } })).body.collection.records.some(
        (each) => each.id === task.id,
      );
    expect(await sees(linus)).toBe(true);
    await changed(id, { visibility: 'private' });
    expect([await sees(linus), await sees(ada)]).toEqual([false, true]);
    await changed(id, { assigned_user_id: linus.user.id });
    expect(await sees(linus)).toBe(true);
  });

  it('400: what the service sets, and what cannot be cleared', async () => {
    const before = await givenMilestone(ada);
    const server = { id: 'x', user_id: null, reached_at: null, task_count: 1, completed_task_count: 1 };
    const more = { shares: [], created_at: null, updated_at: null };
    expect(await problemsOf(change(before.id, { ...server, ...more }))).toEqual(
      Object.fromEntries(Object.keys({ ...server, ...more }).map((name) => [name, 'not_allowed'])),
    );
    const cleared = { name: null, status: null, visibility: null };
    expect(await problemsOf(change(before.id, cleared))).toEqual({
      name: 'invalid',
      status: 'invalid',
      visibility: 'invalid',
    });
    expect(await problemsOf(change(before.id, { due_on: 'soon' }))).toEqual({ due_on: 'invalid_format' });
    expect(await readMilestone(ada, before.id)).toEqual(before);
  });

  it('of changes at once none is lost', async () => {
    const { id } = await givenMilestone(ada);
    const race = meanwhile(workspace.table, 'TransactWriteItemsCommand', () => change(id, { name: 'Raced' }));
    const after = await changed(id, { due_on: '2027-01-01' });
    race.remove();
    expect([race.hit, after.name, after.due_on]).toEqual([true, 'Raced', '2027-01-01']);

    const contacts: string[] = [];
    for (let i = 0; i < reduced(12); i++) contacts.push((await givenContact(ada)).id);
    await Promise.all(contacts.map((contact_id) => change(id, { contact_id })));
    const { contact_id } = await readMilestone(ada, id);
    expect(contacts).toContain(contact_id);
    for (const each of contacts) expect(await rowsUnder(each)).toBe(each === contact_id ? 1 : 0);
    expect((await milestonesOf(ada)).filter((each) => each.id === id)).toHaveLength(1);
  });

  it('does not belong to a contact that is deleted meanwhile', async () => {
    const [milestone, contact] = [await givenMilestone(ada), await givenContact(ada)];
    const race = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      ada.api.deleteContact({ params: { id: contact.id } }),
    );
    expect(await codeOf(change(milestone.id, { contact_id: contact.id }))).toBe('404 record_not_found');
    race.remove();
    expect([race.hit, await readMilestone(ada, milestone.id)]).toEqual([true, milestone]);
  });

  longIt('is changed as a whole or not at all, whichever call fails, and is in the list once', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    const [first, second] = [await givenContact(owner), await givenContact(owner)];
    const { id } = await givenMilestone(owner, { contact_id: first.id, due_on: '2026-01-01' });
    const later = { contact_id: second.id, due_on: '2026-02-02', status: 'reached' };
    const earlier = { contact_id: first.id, due_on: '2026-01-01', status: 'open' };
    let calls = 0;
    for (let nth = 0, hit = true; hit; nth += STRIDE) {
      const fault = failNth(workspace.table, nth);
      await change(id, later, owner).catch(({ status }) => expect(status).toBe(500));
      fault.remove();
      hit = fault.hit;
      calls += 1;
      const { contact_id, due_on, status } = await readMilestone(owner, id);
      expect([later, earlier]).toContainEqual({ contact_id, due_on, status });
      await change(id, later, owner);
      const stored = await workspace.table.get<Milestone>(keys.record('milestones', id));
      expect([await milestonesOf(owner), stored?.due_on]).toEqual([
        [await readMilestone(owner, id)],
        '2026-02-02',
      ]);
      expect([await rowsUnder(first.id), await rowsUnder(second.id)]).toEqual([0, 1]);
      await change(id, earlier, owner);
    }
    expect(calls).toBeGreaterThan(9 / STRIDE);
  });
});
