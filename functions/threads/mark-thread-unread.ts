import { handle } from '../../shared/api/handle.ts';
import { route } from '../../shared/api/route.ts';
import { changeState } from '../../shared/domain/threads/store.ts';

export const markThreadUnread = route('markThreadUnread', {
  method: 'DELETE',
  path: '/threads/{thread_id}/read',
  access: 'write',
  summary: 'Mark a thread unread',
  description: 'Per user; a repeat changes nothing.',
  returns: { 204: null },
  errors: ['record_not_found'],
  uses: ['table:write'],
});

export const handler = handle(markThreadUnread, async ({ caller, params, table }) => {
  await changeState(table, caller, params.thread_id, { set: { unread: 1 } });
});
