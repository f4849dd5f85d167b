import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'DELETE /threads/{thread_id}/read',
  change: (api, thread_id) => api.markThreadUnread({ params: { thread_id } }),
  undo: (api, thread_id) => api.markThreadRead({ params: { thread_id } }),
  field: 'read',
  before: true,
  after: false,
  response: { status: 204, body: null },
});
