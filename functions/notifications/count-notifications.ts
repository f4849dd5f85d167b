import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { exactCount } from '#shared/api/shapes.ts';
import { notificationFilters, readChoice } from '#shared/domain/collaboration/notifications/event.ts';
import { countNotifications as count } from '#shared/domain/collaboration/notifications/list.ts';
import { countSchema } from '#shared/values.ts';

export const countNotifications = route('countNotifications', {
  method: 'GET',
  path: '/notifications/count',
  access: 'read',
  summary: "Count the key's user's notifications",
  description:
    'Always exact. Dismissed notifications are left out. It reads all notifications since all were last ' +
    'dismissed; with `status=unread`, those since all were last marked read.',
  query: notificationFilters,
  returns: { 200: { count: countSchema } },
  uses: ['table:read'],
});

export const handler = handle(countNotifications, async ({ ctx, query }) => ({
  count: exactCount(await count(ctx.table, ctx.caller.user.id, readChoice(query))),
}));
