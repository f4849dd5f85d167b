import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { givenAccount } from '../../support/accounts.ts';
import { codeOf } from '../../support/failures.ts';
import { failNth } from '../../support/faults.ts';
import { givenGroup } from '../../support/groups.ts';
import { longIt, SHORT_STRIDE } from '../../support/long.ts';
import { givenMilestone, givenStep, milestonesOf } from '../../support/milestones.ts';
import { givenContact } from '../../support/proposals.ts';
import { purgeAll, runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /milestones/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const remove = (user: TestUser, id: string) => user.api.deleteMilestone({ params: { id } });
  const taskOf = async (user: TestUser, id: string) =>
    (await user.reader.retrieveTask({ params: { id } })).body.task;
  const ids = async (user: TestUser) => (await milestonesOf(user)).map(({ id }) => id);

  it('204: it is nowhere at once, with its shares; its parent stays', async () => {
    const contact = await givenContact(ada);
    const { id } = await givenMilestone(ada, { contact_id: contact.id, visibility: 'private' });
    const group = await givenGroup(ada, [linus]);
    const params = { record_type: 'milestones' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { group_id: group.id, access: 'edit' } } });
    expect(await ids(linus)).toContain(id);
    expect((await remove(linus, id)).status).toBe(204);
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    expect(await codeOf(ada.reader.retrieveMilestone({ params: { id } }))).toBe('404 record_not_found');
    for (const user of [ada, linus]) expect(await ids(user)).not.toContain(id);
    await purgeAll(workspace);
    expect(await workspace.table.all(keys.record('milestones', id).PK)).toEqual([]);
    expect(await workspace.table.get(keys.groupShare(group.id, 'milestones', id))).toBeUndefined();
    const under = await workspace.table.all(keys.record('contacts', contact.id).PK, 'LINKED#');
    expect(under).toEqual([]);
  });

  it('its tasks stay, without it: at once, and written anew by the queue', async () => {
    const { id } = await givenMilestone(ada);
    const [task, own] = [await givenStep(ada, id), await givenStep(ada, id, { visibility: 'private' })];
    expect((await taskOf(linus, task.id)).milestone_id).toBe(id);
    await remove(ada, id);
    for (const each of [task, own]) expect((await taskOf(ada, each.id)).milestone_id).toBeNull();
    await runRemovals(workspace);
    const after = await taskOf(ada, task.id);
    expect([after.milestone_id, after.refs]).toEqual([null, []]);
    expect(after.updated_at).toEqual(expect.any(String));
    // Who saw the task by the milestone alone sees it no longer.
    expect(await codeOf(linus.reader.retrieveTask({ params: { id: task.id } }))).toBe('404 record_not_found');
  });

  it('403 and 404: not with a share to view, nor what is hidden or of another account', async () => {
    const { id } = await givenMilestone(grace, { visibility: 'private' });
    for (const user of [linus, workspace.hank])
      expect(await codeOf(remove(user, id))).toBe('404 record_not_found');
    const params = { record_type: 'milestones' as const, record_id: id };
    await grace.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(remove(linus, id))).toBe('403 permission_denied');
    expect(await ids(grace)).toContain(id);
  });

  it('ten at once: one deletes it, and it makes room once', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    const [{ id }] = [await givenMilestone(owner), await givenMilestone(owner)];
    const all = await Promise.all(
      Array.from({ length: 10 }, () => remove(owner, id).catch(({ status }) => ({ status }))),
    );
    expect(all.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)]);
    const count = await workspace.table.get(keys.recordCount(owner.user.account_id, 'milestones'));
    expect(count).toMatchObject({ record_count: 1 });
  });

  longIt('is there or gone, whichever call fails, and its tasks lose it', async () => {
    const [owner] = (await givenAccount(workspace, 1)) as [TestUser];
    let rounds = 0;
    for (let nth = 0, hit = true; hit; nth += SHORT_STRIDE) {
      const { id } = await givenMilestone(owner);
      const task = await givenStep(owner, id);
      const fault = failNth(workspace.table, nth);
      await remove(owner, id).catch(({ status }) => expect(status).toBe(500));
      fault.remove();
      hit = fault.hit;
      rounds += 1;
      await remove(owner, id).catch(({ status }) => expect(status).toBe(404));
      expect(await milestonesOf(owner)).toEqual([]);
      await runRemovals(workspace);
      expect((await taskOf(owner, task.id)).refs).toEqual([]);
      const count = await workspace.table.get(keys.recordCount(owner.user.account_id, 'milestones'));
      expect(count).toMatchObject({ record_count: 0 });
    }
    expect(rounds).toBeGreaterThan(2);
  });
});
