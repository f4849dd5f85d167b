import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { dismissOne } from '#shared/domain/collaboration/notifications/dismiss.ts';

export const dismissNotification = route('dismissNotification', {
  method: 'POST',
  path: '/notifications/{id}/dismiss',
  access: 'write',
  summary: 'Dismiss a notification',
  description: 'Removes it from lists and counts. The read mark does not change. A repeat changes nothing.',
  returns: { 200: okResponse },
  uses: ['table:write'],
});

export const handler = handle(dismissNotification, async ({ ctx, params }) => {
  await dismissOne(ctx.table, ctx.caller.user.id, params.id, ctx.now);
  return ok;
});
