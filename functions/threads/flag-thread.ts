import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { having } from '#shared/domain/mail/threads/state.ts';
import { changeSyncedState } from '#shared/domain/mail/threads/synced-state.ts';

export const flagThread = route('flagThread', {
  method: 'POST',
  path: '/threads/{thread_id}/flag',
  access: 'write',
  summary: 'Flag a thread',
  description: 'Per user; a repeat changes nothing.',
  returns: { 200: okResponse },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:sync-labels'],
});

export const handler = handle(flagThread, async ({ ctx, params }) => {
  await changeSyncedState(ctx, params.thread_id, having({ flagged: 1 }));
  return ok;
});
