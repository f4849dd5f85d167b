import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { without } from '#shared/domain/mail/threads/state.ts';
import { changeSyncedState } from '#shared/domain/mail/threads/synced-state.ts';

export const markThreadRead = route('markThreadRead', {
  method: 'POST',
  path: '/threads/{thread_id}/read',
  access: 'write',
  summary: 'Mark a thread read',
  description: 'Per user; a repeat changes nothing.',
  returns: { 200: okResponse },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:sync-labels'],
});

export const handler = handle(markThreadRead, async ({ ctx, params }) => {
  await changeSyncedState(ctx, params.thread_id, without('unread'));
  return ok;
});
