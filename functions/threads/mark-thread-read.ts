import { handle } from '../../shared/api/handle.ts';
import { route } from '../../shared/api/route.ts';
import { ok, okAnswer } from '../../shared/api/shapes.ts';
import { changeState } from '../../shared/domain/threads/store.ts';

export const markThreadRead = route('markThreadRead', {
  method: 'POST',
  path: '/threads/{thread_id}/read',
  access: 'write',
  summary: 'Mark a thread read',
  description: 'Per user; a repeat changes nothing.',
  returns: { 200: okAnswer },
  errors: ['record_not_found'],
  uses: ['table:write'],
});

export const handler = handle(markThreadRead, async ({ caller, params, table }) => {
  await changeState(table, caller, params.thread_id, { remove: ['unread'] });
  return ok;
});
