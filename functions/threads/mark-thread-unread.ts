import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { having } from '#shared/domain/mail/threads/state.ts';
import { changeSyncedState } from '#shared/domain/mail/threads/synced-state.ts';

export const markThreadUnread = route('markThreadUnread', {
  method: 'DELETE',
  path: '/threads/{thread_id}/read',
  access: 'write',
  summary: 'Mark a thread unread',
  description: 'Per user; a repeat changes nothing.',
  returns: { 204: null },
  errors: ['record_not_found'],
  uses: ['table:write', 'queue:sync-labels'],
});

export const handler = handle(markThreadUnread, async ({ ctx, params }) => {
  await changeSyncedState(ctx, params.thread_id, having({ unread: 1 }));
});
