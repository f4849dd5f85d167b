import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { changeState, having } from '#shared/domain/mail/threads/state.ts';

export const resolveThread = route('resolveThread', {
  method: 'POST',
  path: '/threads/{thread_id}/resolution',
  access: 'write',
  summary: 'Resolve a thread',
  description: 'Marks it as done for the user, until new mail arrives; a repeat changes nothing.',
  returns: { 200: okResponse },
  errors: ['record_not_found'],
  uses: ['table:write'],
});

export const handler = handle(resolveThread, async ({ ctx, params }) => {
  await changeState(ctx, params.thread_id, having({ resolved: true }));
  return ok;
});
