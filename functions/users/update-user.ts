import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { settingsChange } from '#shared/domain/collaboration/notifications/settings.ts';
import { updateUser as update } from '#shared/domain/identity/users/update.ts';
import { presentUser, userChanges, userSchema } from '#shared/domain/identity/users/user.ts';

const changes = userChanges
  .extend({ notification_settings: settingsChange.optional() })
  .meta({ id: 'UserChanges' });

export const updateUser = route('updateUser', {
  method: 'PATCH',
  path: '/users/{id}',
  access: 'write',
  summary: 'Update a user',
  description:
    'Users change themselves; `role` and `status` are changed by account admins, in a session. Only owners make and ' +
    'unmake owners. Fields that are not sent stay; the name follows from `first_name` and `last_name`.',
  body: { user: changes },
  examples: { body: { user: { first_name: 'Ada', time_zone: 'Europe/London', assistant_enabled: true } } },
  returns: { 200: { user: userSchema } },
  errors: ['permission_denied', 'last_owner'],
  uses: ['table:write', 'queue:hand-over-records', 'queue:update-billing'],
  versioned: true,
});

export const handler = handle(updateUser, async ({ ctx, params, body }) => {
  const user = await update(ctx, params.id, body.user);
  const caller = user.id === ctx.caller.user.id ? { ...ctx.caller, user } : ctx.caller;
  return { user: presentUser(user, caller, ctx.config) };
});
