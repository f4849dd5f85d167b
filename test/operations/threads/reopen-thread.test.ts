import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subjectsOf } from '../../support/thread-lists.ts';
import { describeStateChange } from '../../support/thread-state.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describeStateChange({
  title: 'DELETE /threads/{thread_id}/resolution',
  change: (api, thread_id) => api.reopenThread({ params: { thread_id } }),
  undo: (api, thread_id) => api.resolveThread({ params: { thread_id } }),
  field: 'resolved',
  before: true,
  after: false,
  response: { status: 204, body: null },
});

describe('a reopened thread', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('is in the open-threads list and the unresolved filter again, and as unread as it was', async () => {
    const { api, reader } = workspace.ada;
    const { id: thread_id } = await givenThread(workspace, { users: [workspace.ada], subject: 'Again' });
    await api.resolveThread({ params: { thread_id } });
    expect(await subjectsOf(reader, { unresolved: true })).toEqual([]);
    await api.reopenThread({ params: { thread_id } });
    expect(await subjectsOf(reader, { unresolved: true, unread: true })).toEqual(['Again']);
    const { inbox } = (await reader.listOpenThreads()).body;
    expect(inbox.unread.map((entry) => entry.id)).toEqual([thread_id]);
  });
});
