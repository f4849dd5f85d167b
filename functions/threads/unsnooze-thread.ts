import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { changeState, without } from '#shared/domain/mail/threads/state.ts';

export const unsnoozeThread = route('unsnoozeThread', {
  method: 'DELETE',
  path: '/threads/{thread_id}/snooze',
  access: 'write',
  summary: 'Unsnooze a thread',
  description: 'Per user; a repeat changes nothing.',
  returns: { 204: null },
  errors: ['record_not_found'],
  uses: ['table:write'],
});

export const handler = handle(unsnoozeThread, async ({ ctx, params }) => {
  await changeState(ctx, params.thread_id, without('snooze_until', 'snoozed_until'));
});
