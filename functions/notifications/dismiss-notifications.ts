import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { dismissAll, dismissByIds } from '#shared/domain/collaboration/notifications/dismiss.ts';
import { dismissal, readDismissal } from '#shared/domain/collaboration/notifications/event.ts';

export const dismissNotifications = route('dismissNotifications', {
  method: 'POST',
  path: '/notifications/dismiss',
  access: 'write',
  summary: 'Dismiss several notifications',
  description:
    'Send one of `ids`, `slice` and `global`. When several are sent, `global` wins over `slice` and `slice` over ' +
    "`ids`. Ids of other users' notifications are ignored. A slice, or all, costs the same for any number of " +
    'notifications.',
  body: dismissal,
  examples: { body: { slice: 'comment_added,comment_mentioned' } },
  returns: { 200: okResponse },
  uses: ['table:write'],
});

export const handler = handle(dismissNotifications, async ({ ctx, body }) => {
  const chosen = readDismissal(body);
  if ('ids' in chosen) await dismissByIds(ctx.table, ctx.caller.user.id, chosen.ids, ctx.now);
  else await dismissAll(ctx.table, ctx.caller.user.id, chosen.events, ctx.clock);
  return ok;
});
