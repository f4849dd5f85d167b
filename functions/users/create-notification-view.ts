import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { ok, okAnswer } from '#shared/api/shapes.ts';
import { markViewed } from '#shared/domain/collaboration/notifications/all.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';

export const createNotificationView = route('createNotificationView', {
  method: 'POST',
  path: '/users/{user_id}/notification_views',
  access: 'session',
  summary: 'Say that the user has opened the notifications',
  description:
    'From then on none of them is `new`. Only for oneself: 403 `permission_denied` for colleagues.',
  returns: { 200: okAnswer },
  errors: ['permission_denied'],
  uses: ['table:write'],
});

export const handler = handle(createNotificationView, async ({ ctx, params }) => {
  const { user, account } = ctx.caller;
  if (params.user_id !== user.id) {
    const [colleague] = await findUsers(ctx.table, account.id, [params.user_id]);
    throw colleague ? new ApiError('permission_denied') : recordNotFound();
  }
  await markViewed(ctx.table, user.id, ctx.clock);
  return ok;
});
