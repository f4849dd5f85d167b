import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describe('DELETE /tasks/{task_id}/completion', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('204: it is open again; a second time and for an open task too', async () => {
    const { ada, linus } = workspace;
    const { id } = (await ada.api.createTask({ body: { task: { name: 'Call' } } })).body.task;
    const params = { task_id: id };
    await ada.api.completeTask({ params });
    for (let i = 0; i < 2; i++) {
      expect((await ada.api.reopenTask({ params })).status).toBe(204);
      const { task } = (await ada.reader.retrieveTask({ params: { id } })).body;
      expect([task.status, task.completed_at, task.completed_by_user_id]).toEqual(['open', null, null]);
    }
    expect(await codeOf(linus.api.reopenTask({ params }))).toBe('404 record_not_found');
  });
});
