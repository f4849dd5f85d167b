import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { failCall } from '../../support/faults.ts';
import { STRIDE } from '../../support/long.ts';
import { expectCleanedUp, expectConsistent, runCleanUps } from '../../support/tags.ts';
import { type GivenThread, givenThread } from '../../support/threads.ts';
import { startWorkspace, type TestUser, type Workspace } from '../../support/workspace.ts';

/** No queue runs here: responses are those before the clean-up has begun. */
describe('DELETE /tags/{id}, with failures', () => {
  let workspace: Workspace;
  let thread: GivenThread;
  beforeAll(async () => {
    workspace = await startWorkspace({ own_table: true });
    thread = await givenThread(workspace, { users: [workspace.ada, workspace.grace] });
  });
  afterAll(() => workspace.stop());
  afterEach(async () => {
    vi.restoreAllMocks();
    await expectConsistent(workspace.table, workspace.account_id);
    for (const { id } of await listed()) await remove(id);
    await runCleanUps(workspace);
    const { taggings } = await expectCleanedUp(workspace.table, workspace.account_id);
    expect(taggings).toEqual([]);
  });

  const create = async (name: string, user: TestUser = workspace.ada) =>
    (await user.api.createTag({ body: { tag: { name } } })).body.tag;
  const remove = (id: string, body?: unknown, user: TestUser = workspace.ada) =>
    user.api.deleteTag({ params: { id }, ...(body === undefined ? {} : { body: body as never }) });
  const onThread = () => ({ record_type: 'threads' as const, record_id: thread.id });
  const apply = async (tag_id: string, params: { record_type: 'threads' | 'contacts'; record_id: string }) =>
    (await workspace.ada.api.applyTag({ params, body: { tag_id } })).body.tagging;
  const names = (tags: { name: string }[] | null | undefined) => tags?.map(({ name }) => name);
  const listed = async () => (await workspace.ada.reader.listTags()).body.collection.records;
  const shown = async () => {
    const { thread: found } = (await workspace.ada.reader.retrieveThread({ params: { id: thread.id } })).body;
    return names(found.tags);
  };

  it('the tag exists or is deleted, whichever call fails, and a retry succeeds', async () => {
    for (let call = 1, reached = true; reached; call += STRIDE)
      for (const when of ['before', 'after'] as const) {
        const [old, next] = [await create(`Old ${call} ${when}`), await create(`Next ${call} ${when}`)];
        await apply(old.id, onThread());
        const fault = failCall(workspace.table, call, when);
        const response = await remove(old.id, { replacement_tag_id: next.id }).catch((error) => error);
        fault.remove();
        reached = fault.hit;
        expect([204, 500]).toContain(response.status);
        await expectConsistent(workspace.table, workspace.account_id);
        const again = await remove(old.id, { replacement_tag_id: next.id }).catch((error) => error);
        expect([204, 404]).toContain(again.status);
        expect(await shown()).toEqual([next.name]);
        await remove(next.id);
      }
  });
});
