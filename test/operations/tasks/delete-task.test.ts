import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import { codeOf } from '../../support/failures.ts';
import { longIt } from '../../support/long.ts';
import { givenContact } from '../../support/proposals.ts';
import { purgeAll, runRemovals } from '../../support/removed-records.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('DELETE /tasks/{id}', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const made = async (task: object) =>
    (await ada.api.createTask({ body: { task: { name: 'Call', ...task } } })).body.task;
  const remove = (user: TestUser, id: string) => user.api.deleteTask({ params: { id } });

  it('204: it is nowhere, its external id is free, and the contact stays', async () => {
    const contact = await givenContact(ada);
    const { id } = await made({ contact_ids: [contact.id], external_id: 'gone' });
    const on = { record_type: 'tasks' as const, record_id: id };
    await ada.api.createShare({ params: on, body: { share: { user_id: linus.user.id } } });
    expect((await remove(ada, id)).status).toBe(204);
    expect(await codeOf(remove(ada, id))).toBe('404 record_not_found');
    for (const query of [{}, { external_id: 'gone' }, { contact_id: contact.id }])
      expect((await ada.reader.countTasks({ query })).body.count.total).toBe(0);
    const { tasks } = (await ada.reader.retrieveContact({ params: { id: contact.id } })).body.contact;
    expect(tasks).toEqual([]);
    await purgeAll(workspace);
    expect(await workspace.table.all(keys.record('tasks', id).PK)).toEqual([]);
    expect(await workspace.table.all(keys.record('contacts', contact.id).PK, 'LINKED#')).toEqual([]);
    await made({ external_id: 'gone' });
  });

  it('403 and 404: not with a share to view, nor what is hidden', async () => {
    const { id } = await made({});
    expect(await codeOf(remove(linus, id))).toBe('404 record_not_found');
    const params = { record_type: 'tasks' as const, record_id: id };
    await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(remove(linus, id))).toBe('403 permission_denied');
  });

  longIt('a deleted contact leaves its tasks, which lose the link and are written anew', async () => {
    const [contact, other] = [await givenContact(ada), await givenContact(ada, { visibility: 'private' })];
    const { id } = await made({ contact_ids: [contact.id, other.id] });
    const seen = async () => (await linus.reader.countTasks()).body.count.total;
    const before = await seen();
    await ada.api.deleteContact({ params: { id: contact.id } });
    await runRemovals(workspace);
    const { task } = (await ada.reader.retrieveTask({ params: { id } })).body;
    expect([task.contact_ids, task.refs.map((ref) => ref.id)]).toEqual([[other.id], [other.id]]);
    expect(task.updated_at).toEqual(expect.any(String));
    expect(await codeOf(linus.reader.retrieveTask({ params: { id } }))).toBe('404 record_not_found');
    expect(await seen()).toBe(before - 1);
  });
});
