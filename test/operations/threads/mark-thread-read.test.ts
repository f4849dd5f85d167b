import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'POST /threads/{thread_id}/read',
  operation: 'markThreadRead',
  undo: 'markThreadUnread',
  field: 'read',
  after: true,
  answer: { status: 200, body: { ok: 'ok' } },
});
