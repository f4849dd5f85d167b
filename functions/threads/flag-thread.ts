import { handle } from '../../shared/api/handle.ts';
import { route } from '../../shared/api/route.ts';
import { ok, okAnswer } from '../../shared/api/shapes.ts';
import { changeState } from '../../shared/domain/threads/store.ts';

export const flagThread = route('flagThread', {
  method: 'POST',
  path: '/threads/{thread_id}/flag',
  access: 'write',
  summary: 'Flag a thread',
  description: 'Per user; a repeat changes nothing.',
  returns: { 200: okAnswer },
  errors: ['record_not_found'],
  uses: ['table:write'],
});

export const handler = handle(flagThread, async ({ caller, params, table }) => {
  await changeState(table, caller, params.thread_id, { set: { flagged: 1 } });
  return ok;
});
