import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'POST /threads/{thread_id}/flag',
  operation: 'flagThread',
  undo: 'unflagThread',
  field: 'flagged',
  after: true,
  answer: { status: 200, body: { ok: 'ok' } },
});
