import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../../support/failures.ts';
import { failCall, loseResponse } from '../../support/faults.ts';
import { longIt } from '../../support/long.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

describe('POST /tasks/{task_id}/completion', () => {
  let workspace: Workspace;
  let ada: TestUser;
  let linus: TestUser;
  beforeAll(async () => {
    workspace = await startWorkspace();
    ({ ada, linus } = workspace);
  });
  afterAll(() => workspace.stop());

  const made = async (task: object = {}) =>
    (await ada.api.createTask({ body: { task: { name: 'Call', ...task } } })).body.task;
  const complete = (task_id: string, user = ada) => user.api.completeTask({ params: { task_id } });
  const read = async (id: string) => (await ada.reader.retrieveTask({ params: { id } })).body.task;
  const total = async (slice: 'open' | 'completed', user = ada) =>
    (await user.reader.countTasks({ query: { slice } })).body.count.total;

  it('200: it is completed by the user, and a repeat changes nothing', async () => {
    const { id } = await made({ visibility: 'account' });
    const [open, done] = [await total('open'), await total('completed')];
    const { status, body } = await complete(id, linus);
    expect([status, body]).toEqual([200, { ok: 'ok' }]);
    const task = await read(id);
    expect(task).toMatchObject({ status: 'completed', completed_by_user_id: linus.user.id });
    expect(task.updated_at).toEqual(expect.any(String));
    expect((await complete(id)).status).toBe(200);
    expect(await read(id)).toEqual(task);
    expect([await total('open'), await total('completed')]).toEqual([open - 1, done + 1]);
  });

  it('403 and 404: not with a share to view, nor what is hidden', async () => {
    const { id } = await made();
    expect(await codeOf(complete(id, linus))).toBe('404 record_not_found');
    const params = { record_type: 'tasks' as const, record_id: id };
    const { body } = await ada.api.createShare({ params, body: { share: { user_id: linus.user.id } } });
    expect(await codeOf(complete(id, linus))).toBe('403 permission_denied');
    const access = { share: { access: 'edit' as const } };
    await ada.api.updateShare({ params: { ...params, id: body.share.id }, body: access });
    expect((await complete(id, linus)).status).toBe(200);
  });

  it('ten at once, and reopening meanwhile: the lists are those of the task', async () => {
    const { id } = await made();
    const before = await total('completed');
    await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        i === 5 ? ada.api.reopenTask({ params: { task_id: id } }) : complete(id),
      ),
    );
    const { status } = await read(id);
    expect(await total('completed')).toBe(before + (status === 'completed' ? 1 : 0));
    const find = { query: { slice: status === 'completed' ? ('completed' as const) : ('open' as const) } };
    const { records } = (await ada.reader.listTasks({ query: { ...find.query, limit: '100' as never } })).body
      .collection;
    expect(records.filter((task) => task.id === id)).toHaveLength(1);
  });

  longIt('survives a failure of the table at any call, and a lost response', async () => {
    const { id } = await made();
    const before = await total('completed');
    for (let call = 1; ; call++) {
      const fault = failCall(workspace.table, call, call % 2 === 0 ? 'before' : 'after');
      await complete(id).catch(() => undefined);
      fault.remove();
      if (!fault.hit) break;
      await complete(id);
      expect(await total('completed'), `call ${call}`).toBe(before + 1);
      await ada.api.reopenTask({ params: { task_id: id } });
      expect(await total('completed'), `call ${call}`).toBe(before);
    }
    await ada.api.reopenTask({ params: { task_id: id } });
    const lost = loseResponse(workspace.table, 'TransactWriteItemsCommand');
    await complete(id);
    lost.remove();
    expect([lost.hit, await total('completed')]).toEqual([true, before + 1]);
  });
});
