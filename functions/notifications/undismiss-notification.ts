import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { undismiss } from '#shared/domain/collaboration/notifications/dismiss.ts';
import {
  notificationSchema,
  presentNotification,
} from '#shared/domain/collaboration/notifications/notification.ts';

export const undismissNotification = route('undismissNotification', {
  method: 'POST',
  path: '/notifications/{id}/undismiss',
  access: 'write',
  summary: 'Undismiss a notification',
  description:
    'Lists and counts it again, whether it was dismissed alone or with others. The read mark does not change. ' +
    'A repeat changes nothing.',
  returns: { 200: { notification: notificationSchema } },
  uses: ['table:write'],
});

export const handler = handle(undismissNotification, async ({ ctx, params }) => {
  const { notification, moments } = await undismiss(ctx.table, ctx.caller.user.id, params.id);
  return { notification: presentNotification(notification, moments) };
});
