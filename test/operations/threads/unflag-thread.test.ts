import { describeStateChange } from '../../support/thread-state.ts';

describeStateChange({
  title: 'DELETE /threads/{thread_id}/flag',
  operation: 'unflagThread',
  undo: 'flagThread',
  field: 'flagged',
  after: false,
  answer: { status: 204, body: null },
});
