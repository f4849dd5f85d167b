import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'DELETE /threads/{thread_id}/read',
  operation: 'markThreadUnread',
  undo: 'markThreadRead',
  field: 'read',
  after: false,
  answer: { status: 204, body: null },
});
