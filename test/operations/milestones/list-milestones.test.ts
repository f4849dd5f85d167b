import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenAccount } from '../../support/accounts.ts';
import { meanwhile } from '../../support/faults.ts';
import { givenGroup } from '../../support/groups.ts';
import { longIt } from '../../support/long.ts';
import {
  givenMilestone,
  givenStep,
  milestonesOf,
  progressIn,
  readMilestone,
} from '../../support/milestones.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /milestones', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  const team = async () => (await givenAccount(workspace, 3)) as [TestUser, TestUser, TestUser];
  const names = async (user: TestUser) => (await milestonesOf(user)).map(({ name }) => name);

  it('200: whole: open ones first, then by their day, undated ones last, then by creation', async () => {
    const [owner] = await team();
    const { body } = await owner.reader.listMilestones();
    expect(body.collection).toEqual({ records: [], page: 1, per_page: 0, total_results: 0, pages: 1 });
    for (const [name, due_on, status] of [
      ['g', null, 'missed'],
      ['c', null, 'open'],
      ['f', '2026-03-02', 'missed'],
      ['d', null, 'open'],
      ['b', '2027-01-01', 'open'],
      ['e', '0001-01-01', 'reached'],
      ['h', null, 'reached'],
      ['a', '2026-12-31', 'open'],
    ])
      await givenMilestone(owner, { name, due_on, status });
    expect(await names(owner)).toEqual([...'abcdefgh']);
    const { records, ...page } = (await owner.reader.listMilestones()).body.collection;
    expect(page).toEqual({ page: 1, per_page: 8, total_results: 8, pages: 1 });
    for (const record of records) expect(await readMilestone(owner, record.id)).toEqual(record);

    const [first] = records;
    const params = { id: first?.id as string };
    await owner.api.updateMilestone({ params, body: { milestone: { status: 'reached' } } });
    expect(await names(owner)).toEqual([...'bcdefagh']);
  });

  longIt('200: those that the user sees, with the parents and tasks that the user sees', async () => {
    const [owner, member, other] = await team();
    const contact = await givenContact(owner, { visibility: 'private' });
    const open = await givenMilestone(owner, { name: 'Open', contact_id: contact.id });
    const hidden = await givenMilestone(owner, { name: 'Private', visibility: 'private' });
    const group = await givenGroup(owner, [member]);
    const params = { record_type: 'milestones' as const, record_id: hidden.id };
    await owner.api.createShare({ params, body: { share: { group_id: group.id } } });
    await givenStep(owner, open.id, { contact_ids: [contact.id] });
    await givenStep(owner, open.id, { visibility: 'private' });
    const step = await givenStep(owner, hidden.id);
    await owner.api.completeTask({ params: { task_id: step.id } });

    const seen = async (user: TestUser) =>
      (await milestonesOf(user)).map((each) => [each.name, each.contact_id, ...progressIn(each)]);
    expect(await seen(owner)).toEqual([
      ['Open', contact.id, 2, 0],
      ['Private', null, 1, 1],
    ]);
    expect(await seen(member)).toEqual([
      ['Open', null, 1, 0],
      ['Private', null, 1, 1],
    ]);
    expect(await seen(other)).toEqual([['Open', null, 1, 0]]);
    await owner.api.deleteMembership({ params: { group_id: group.id, user_id: member.user.id } });
    expect(await seen(member)).toEqual([['Open', null, 1, 0]]);
    expect(await names(workspace.hank)).toEqual([]);
  });

  longIt('200: more than are read at once, public and private ones in one order', async () => {
    const [owner, member] = await team();
    const days = Array.from({ length: 110 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + i)));
    const wanted = days.map((day) => day.toISOString().slice(0, 10));
    for (const [i, due_on] of wanted.entries())
      await givenMilestone(owner, { due_on, visibility: i % 3 === 0 ? 'private' : 'account' });
    const listed = async (user: TestUser) => (await milestonesOf(user)).map(({ due_on }) => due_on);
    expect(await listed(owner)).toEqual(wanted);
    expect(await listed(member)).toEqual(wanted.filter((_, i) => i % 3 !== 0));

    // One that moves behind the first page is in both; the fifth query is that of the account's list for the second.
    const [, moved] = await milestonesOf(owner);
    const params = { id: moved?.id as string };
    const later = { body: { milestone: { due_on: '2100-01-01' } } };
    const race = meanwhile(
      workspace.table,
      'QueryCommand',
      () => owner.api.updateMilestone({ params, ...later }),
      5,
    );
    const during = (await milestonesOf(owner)).map(({ id }) => id);
    race.remove();
    expect([race.hit, during.length, new Set(during).size]).toEqual([true, 110, 110]);
    expect(during.at(-1)).toBe(moved?.id);
  });
});
