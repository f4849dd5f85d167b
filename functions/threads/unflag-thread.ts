import { handle } from '../../shared/api/handle.ts';
import { route } from '../../shared/api/route.ts';
import { changeState } from '../../shared/domain/threads/store.ts';

export const unflagThread = route('unflagThread', {
  method: 'DELETE',
  path: '/threads/{thread_id}/flag',
  access: 'write',
  summary: 'Unflag a thread',
  description: 'Per user; a repeat changes nothing.',
  returns: { 204: null },
  errors: ['record_not_found'],
  uses: ['table:write'],
});

export const handler = handle(unflagThread, async ({ caller, params, table }) => {
  await changeState(table, caller, params.thread_id, { remove: ['flagged'] });
});
