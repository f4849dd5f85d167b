import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'POST /threads/{thread_id}/flag',
  change: (api, thread_id) => api.flagThread({ params: { thread_id } }),
  undo: (api, thread_id) => api.unflagThread({ params: { thread_id } }),
  field: 'flagged',
  before: false,
  after: true,
  response: { status: 200, body: { ok: 'ok' } },
});
