import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subjectsOf } from '../../support/thread-lists.ts';
import { describeStateChange } from '../../support/thread-state.ts';
import { givenThread } from '../../support/threads.ts';
import { startWorkspace, type Workspace } from '../../support/workspace.ts';

const FAR = '2200-01-01T00:00:00Z';

describeStateChange({
  title: 'DELETE /threads/{thread_id}/snooze',
  change: (api, thread_id) => api.unsnoozeThread({ params: { thread_id } }),
  undo: (api, thread_id) => api.snoozeThread({ params: { thread_id }, body: { snooze_until: FAR } }),
  field: 'snooze_until',
  before: FAR,
  after: null,
  response: { status: 204, body: null },
});

describe('a thread that is no longer snoozed', () => {
  let workspace: Workspace;
  beforeAll(async () => {
    workspace = await startWorkspace();
  });
  afterAll(() => workspace.stop());

  it('leaves the snoozed slice at once', async () => {
    const { api, reader } = workspace.ada;
    const { id: thread_id } = await givenThread(workspace, { users: [workspace.ada], subject: 'Later' });
    await api.snoozeThread({ params: { thread_id }, body: { snooze_until: FAR } });
    expect(await subjectsOf(reader, { slice: 'snoozed' })).toEqual(['Later']);
    await api.unsnoozeThread({ params: { thread_id } });
    expect(await subjectsOf(reader, { slice: 'snoozed' })).toEqual([]);
    expect(await subjectsOf(reader)).toEqual(['Later']);
  });
});
