import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenMilestone, givenStep, progressIn, readMilestone } from '../../support/milestones.ts';
import { storedNotifications } from '../../support/notifications.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('GET /milestones/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const missing = (user: TestUser, id: string) => codeOf(user.reader.retrieveMilestone({ params: { id } }));

  it('200: with its shares, for whom it is shared with, who is told; 404 for others', async () => {
    const { id } = await givenMilestone(ada, { name: 'Secret', visibility: 'private' });
    for (const user of [grace, linus, workspace.hank])
      expect(await missing(user, id)).toBe('404 record_not_found');
    expect(await missing(ada, randomUUID())).toBe('404 record_not_found');

    const params = { record_type: 'milestones' as const, record_id: id };
    const { share } = (await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } }))
      .body;
    const seen = await readMilestone(linus, id);
    expect(seen.shares).toEqual([share]);
    expect(seen).toEqual(await readMilestone(ada, id));
    expect((await storedNotifications(workspace, linus.user.id)).at(-1)).toMatchObject({
      event: 'milestone_shared',
      payload: { id, record_type: 'milestone', name: 'Secret' },
      prompting_user_id: ada.user.id,
    });
    await ada.api.deleteShare({ params: { ...params, id: share.id } });
    expect(await missing(linus, id)).toBe('404 record_not_found');
    expect(await missing(grace, id)).toBe('404 record_not_found');
  });

  it('200: its assignee sees it, without a parent that is hidden', async () => {
    const contact = await givenContact(ada, { visibility: 'private' });
    const draft = { visibility: 'private', contact_id: contact.id, assigned_user_id: linus.user.id };
    const milestone = await givenMilestone(ada, draft);
    expect(await readMilestone(linus, milestone.id)).toEqual({ ...milestone, contact_id: null });
    const visibility = { contact: { visibility: 'account' as const } };
    await ada.api.updateContact({ params: { id: contact.id }, body: visibility });
    expect(await readMilestone(linus, milestone.id)).toEqual(milestone);
  });

  longIt('200: counts the tasks that the user sees, and those of them that are completed', async () => {
    const { id } = await givenMilestone(ada);
    const open = await givenStep(ada, id);
    const own = await givenStep(ada, id, { visibility: 'private' });
    await givenStep(linus, id, { visibility: 'private', assigned_user_id: ada.user.id });
    await givenStep(ada, (await givenMilestone(ada)).id);
    for (const task of [open, own]) await ada.api.completeTask({ params: { task_id: task.id } });
    const seenBy = async (user: TestUser) => progressIn(await readMilestone(user, id));
    expect([await seenBy(ada), await seenBy(linus), await seenBy(grace)]).toEqual([
      [3, 2],
      [2, 1],
      [1, 1],
    ]);
    await ada.api.reopenTask({ params: { task_id: open.id } });
    await ada.api.deleteTask({ params: { id: own.id } });
    expect([await seenBy(ada), await seenBy(grace)]).toEqual([
      [2, 0],
      [1, 0],
    ]);
  });

  longIt('tasks name it as what they are about, and are listed by it', async () => {
    const hidden = await givenMilestone(grace, { name: 'Launch', visibility: 'private' });
    const task = await givenStep(grace, hidden.id, { assigned_user_id: linus.user.id });
    expect([task.milestone_id, task.visibility]).toEqual([hidden.id, 'linked']);
    const ref = { type: 'milestone', id: hidden.id };
    expect(task.refs).toEqual([{ ...ref, label: 'Launch' }]);
    const seen = (await linus.reader.retrieveTask({ params: { id: task.id } })).body.task;
    expect([seen.milestone_id, seen.refs]).toEqual([null, [{ ...ref, label: null }]]);
    const query = { milestone_id: hidden.id };
    const { records } = (await grace.reader.listTasks({ query })).body.collection;
    expect(records.map(({ id }) => id)).toEqual([task.id]);
    expect(await codeOf(linus.reader.listTasks({ query }))).toBe('404 record_not_found');
    const about = { task: { name: 'x', milestone_id: hidden.id } };
    expect(await codeOf(linus.api.createTask({ body: about }))).toBe('404 record_not_found');

    // Who sees the milestone sees what leads to it, from the moment of the share on.
    expect(await codeOf(ada.reader.retrieveTask({ params: { id: task.id } }))).toBe('404 record_not_found');
    const params = { record_type: 'milestones' as const, record_id: hidden.id };
    await grace.api.createShare({ params, body: { share: { user_id: ada.user.id } } });
    expect((await ada.reader.countTasks({ query })).body.count.total).toBe(1);
    expect(progressIn(await readMilestone(ada, hidden.id))).toEqual([1, 0]);
  });
});
