import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { markUnread } from '#shared/domain/collaboration/notifications/mark-unread.ts';
import {
  notificationSchema,
  presentNotification,
} from '#shared/domain/collaboration/notifications/notification.ts';

export const markNotificationUnread = route('markNotificationUnread', {
  method: 'POST',
  path: '/notifications/{id}/unread',
  access: 'write',
  summary: 'Mark a notification unread',
  returns: { 200: { notification: notificationSchema } },
  uses: ['table:write'],
});

export const handler = handle(markNotificationUnread, async ({ ctx, params }) => {
  const { notification, moments } = await markUnread(ctx.table, ctx.caller.user.id, params.id);
  return { notification: presentNotification(notification, moments) };
});
