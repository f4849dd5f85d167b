import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'POST /threads/{thread_id}/read',
  change: (api, thread_id) => api.markThreadRead({ params: { thread_id } }),
  undo: (api, thread_id) => api.markThreadUnread({ params: { thread_id } }),
  field: 'read',
  before: false,
  after: true,
  response: { status: 200, body: { ok: 'ok' } },
});
