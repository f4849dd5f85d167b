import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'DELETE /threads/{thread_id}/flag',
  change: (api, thread_id) => api.unflagThread({ params: { thread_id } }),
  undo: (api, thread_id) => api.flagThread({ params: { thread_id } }),
  field: 'flagged',
  before: true,
  after: false,
  response: { status: 204, body: null },
});
