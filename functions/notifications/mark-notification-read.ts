import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { markRead } from '#shared/domain/collaboration/notifications/mark-read.ts';
import {
  notificationSchema,
  presentNotification,
} from '#shared/domain/collaboration/notifications/notification.ts';

export const markNotificationRead = route('markNotificationRead', {
  method: 'POST',
  path: '/notifications/{id}/read',
  access: 'write',
  summary: 'Mark a notification read',
  description: 'A notification that is already read keeps its `read_at`.',
  returns: { 200: { notification: notificationSchema } },
  uses: ['table:write'],
});

export const handler = handle(markNotificationRead, async ({ ctx, params }) => {
  const { notification, moments } = await markRead(ctx.table, ctx.caller.user.id, params.id, ctx.now);
  return { notification: presentNotification(notification, moments) };
});
