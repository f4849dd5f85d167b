import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subjectsOf, type ThreadQuery, threadOf } from '../../support/thread-lists.ts';
import { describeStateChange } from '../../support/thread-state.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

describeStateChange({
  title: 'POST /threads/{thread_id}/resolution',
  change: (api, thread_id) => api.resolveThread({ params: { thread_id } }),
  undo: (api, thread_id) => api.reopenThread({ params: { thread_id } }),
  field: 'resolved',
  before: false,
  after: true,
  response: { status: 200, body: { ok: 'ok' } },
});

describe('a resolved thread', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
    const { ada, grace } = workspace;
    const done = await givenThread(workspace, { users: [ada, grace], subject: 'Done' });
    await givenThread(workspace, { users: [ada], subject: 'To do' });
    await ada.api.resolveThread({ params: { thread_id: done.id } });
  });
  afterAll(() => workspace.stop());

  it('leaves the open-threads list', async () => {
    const { inbox } = (await workspace.ada.reader.listOpenThreads()).body;
    expect(inbox.unread.map((entry) => entry.subject)).toEqual(['To do']);
    expect([...inbox.flagged, ...inbox.other]).toEqual([]);
  });

  it('leaves the unresolved filter and the unresolved slice', async () => {
    expect(await subjectsOf(workspace.ada.reader, { unresolved: true })).toEqual(['To do']);
    expect(await subjectsOf(workspace.ada.reader, { slice: 'unresolved' })).toEqual(['To do']);
  });

  it('remains in the other lists', async () => {
    for (const query of [{}, { slice: 'inbox' }, { unread: true }] as ThreadQuery[])
      expect(await subjectsOf(workspace.ada.reader, query)).toEqual(['To do', 'Done']);
  });

  it('is resolved for the key’s user only', async () => {
    expect(await subjectsOf(workspace.grace.reader, { unresolved: true })).toEqual(['Done']);
    expect(await threadOf(workspace.grace.reader, 'Done')).toMatchObject({ resolved: false });
  });
});
