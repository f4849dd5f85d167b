import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { without } from '#shared/domain/mail/threads/state.ts';
import { changeSyncedState } from '#shared/domain/mail/threads/synced-state.ts';

export const unflagThread = route('unflagThread', {
  method: 'DELETE',
  path: '/threads/{thread_id}/flag',
  access: 'write',
  summary: 'Unflag a thread',
  description: 'Per user; a repeat changes nothing.',
  returns: { 204: null },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:sync-labels'],
});

export const handler = handle(unflagThread, async ({ ctx, params }) => {
  await changeSyncedState(ctx, params.thread_id, without('flagged'));
});
