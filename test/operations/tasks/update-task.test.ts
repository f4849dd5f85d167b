import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, problemsOf } from '../../support/failures.ts';
import { meanwhile } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
import { storedNotifications } from '../../support/notifications.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('PATCH /tasks/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let grace: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, grace, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const made = async (task: object = {}, user = ada) =>
    (await user.api.createTask({ body: { task: { name: 'Call', ...task } } })).body.task;
  const change = (id: string, task: object, user = ada) =>
    user.api.updateTask({ params: { id }, body: { task: task as never } });
  const changed = async (id: string, task: object, user = ada) => (await change(id, task, user)).body.task;

  it('200: changes what is sent, clears what is null, keeps the rest', async () => {
    const task = await made({ description: 'x', priority: 'low', due_at: '2026-12-01T10:00:00Z' });
    const after = await changed(task.id, { name: 'Write', description: null, due_at: null });
    expect(after).toEqual({
      ...{ ...task, name: 'Write', description: null, due_at: null },
      updated_at: after.updated_at,
    });
    expect(await changed(task.id, { name: 'Write' })).toEqual(after);
  });

  it('keeps the links that the user does not see', async () => {
    const [open, hidden] = [await givenContact(grace), await givenContact(grace, { visibility: 'private' })];
    const { id } = await made({ contact_ids: [open.id, hidden.id] }, grace);
    const { contact_ids, refs } = await changed(id, { contact_ids: [] }, linus);
    expect([contact_ids, refs]).toEqual([[], [{ type: 'contact', id: hidden.id, label: null }]]);
    expect((await changed(id, { contact_ids: [] }, grace)).refs).toEqual([]);
  });

  longIt('tells a new assignee once, and races leave one of them', async () => {
    const { id } = await made({ visibility: 'account' });
    const told = async ({ user }: TestUser) =>
      (await storedNotifications(workspace, user.id)).filter(({ payload }) => payload.id === id).length;
    await changed(id, { assigned_user_id: linus.user.id });
    await changed(id, { assigned_user_id: linus.user.id });
    expect([await told(linus), await told(ada)]).toEqual([1, 0]);

    const race = meanwhile(workspace.table, 'TransactWriteItemsCommand', () =>
      change(id, { name: 'Raced', assigned_user_id: null }),
    );
    const after = await changed(id, { assigned_user_id: grace.user.id });
    race.remove();
    expect([race.hit, after.name, after.assigned_user_id]).toEqual([true, 'Raced', grace.user.id]);
    expect(await told(grace)).toBe(1);
    const assigned = async ({ reader }: TestUser) =>
      (await reader.listTasks({ query: { slice: 'assigned' } })).body.collection.records.map(
        (task) => task.id,
      );
    expect(await assigned(grace)).toContain(id);
    expect(await assigned(linus)).not.toContain(id);
  });

  it('403: a share to view changes nothing, and only owner and admins make it private', async () => {
    const own = await made();
    const params = { record_type: 'tasks' as const, record_id: own.id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(change(own.id, { name: 'x' }, linus))).toBe('403 permission_denied');
    const everyones = await made({ visibility: 'account' });
    expect(await codeOf(change(everyones.id, { visibility: 'private' }, linus))).toBe(
      '403 permission_denied',
    );
    expect((await changed(everyones.id, { visibility: 'private' })).visibility).toBe('private');
    expect(await codeOf(change(everyones.id, { name: 'x' }, linus))).toBe('404 record_not_found');
    expect((await storedNotifications(workspace, linus.user.id)).at(-1)?.event).toBe('task_shared');
  });

  it('tells a new assignee once, and not who takes the task', async () => {
    const { id } = await made({ visibility: 'account' });
    const told = async ({ user }: TestUser) =>
      (await storedNotifications(workspace, user.id)).filter(
        ({ event, payload }) => event === 'task_assigned' && payload?.id === id,
      );
    await change(id, { assigned_user_id: grace.user.id });
    await change(id, { assigned_user_id: grace.user.id, name: 'Call again' });
    expect((await told(grace)).map(({ prompting_user_id }) => prompting_user_id)).toEqual([ada.user.id]);
    await change(id, { assigned_user_id: linus.user.id }, linus);
    expect(await told(linus)).toEqual([]);
  });

  it('400: what the service sets, and a name that is cleared', async () => {
    const { id } = await made();
    const server = { status: 'completed', completed_at: null, refs: [], shares: [], proposal_id: null };
    expect(await problemsOf(change(id, server))).toEqual(
      Object.fromEntries(Object.keys(server).map((name) => [name, 'not_allowed'])),
    );
    expect(await problemsOf(change(id, { name: null }))).toEqual({ name: 'invalid' });
  });
});
