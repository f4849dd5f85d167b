import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { givenContact } from '../../support/proposals.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('GET /tasks/{id}', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('200 and 404: who sees it follows the contact that it is about at once', async () => {
    const { ada, linus, hank } = workspace;
    const contact = await givenContact(ada, { name: 'Otis' });
    const draft = { name: 'Call', contact_ids: [contact.id] };
    const { task } = (await ada.api.createTask({ body: { task: draft } })).body;
    const params = { id: task.id };
    const read = (user = linus) => user.reader.retrieveTask({ params });
    const listed = async () => (await linus.reader.countTasks()).body.count.total;
    expect([(await read()).body.task, await listed()]).toEqual([task, 1]);
    expect(await codeOf(read(hank))).toBe('404 record_not_found');

    const change = (visibility: 'account' | 'private') =>
      ada.api.updateContact({ params: { id: contact.id }, body: { contact: { visibility } } });
    await change('private');
    expect([await codeOf(read()), await listed()]).toEqual(['404 record_not_found', 0]);
    const on = { record_type: 'contacts' as const, record_id: contact.id };
    const share = (await ada.api.createShare({ params: on, body: { share: { user_id: linus.user.id } } }))
      .body;
    expect([(await read()).body.task, await listed()]).toEqual([task, 1]);
    await ada.api.deleteShare({ params: { ...on, id: share.share.id } });
    expect([await codeOf(read()), await listed()]).toEqual(['404 record_not_found', 0]);
  });
});
