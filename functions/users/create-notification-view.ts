import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okResponse } from '#shared/api/shapes.ts';
import { markViewed } from '#shared/domain/collaboration/notifications/mark-all.ts';
import { requireOneself } from '#shared/domain/identity/users/policy.ts';

export const createNotificationView = route('createNotificationView', {
  method: 'POST',
  path: '/users/{user_id}/notification_views',
  access: 'session',
  summary: 'Record that the user has opened the notifications',
  description:
    'From then on none of them is `new`. Only for oneself: 403 `permission_denied` for colleagues.',
  returns: { 200: okResponse },
  errors: ['permission_denied'],
  uses: ['table:write'],
});

export const handler = handle(createNotificationView, async ({ ctx, params }) => {
  await requireOneself(ctx, params.user_id);
  await markViewed(ctx.table, ctx.caller.user.id, ctx.clock);
  return ok;
});
