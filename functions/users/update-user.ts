import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { keepAvatar } from '#shared/domain/collaboration/avatars/keep.ts';
import { settingsChange } from '#shared/domain/collaboration/notifications/settings.ts';
import { updateUser as update } from '#shared/domain/identity/users/update.ts';
import { presentUser, userChanges, userSchema } from '#shared/domain/identity/users/user.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

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
    'unmake owners; a changed role is mailed. Fields that are not sent stay; the name follows from `first_name` and ' +
    '`last_name`. The picture is an upload of the key’s user whose bytes have been sent.',
  body: { user: changes },
  examples: { body: { user: { first_name: 'Ada', time_zone: 'Europe/London', assistant_enabled: true } } },
  returns: { 200: { user: userSchema } },
  errors: [
    'permission_denied',
    'last_owner',
    'email_address_in_use',
    'upload_already_used',
    'file_too_large',
    'upload_incomplete',
    'storage_unavailable',
  ],
  uses: [
    'table:write',
    'queue:hand-over-records',
    'queue:remove-files',
    'queue:send-mail',
    'queue:update-billing',
    'bucket:read-uploads',
    'bucket:read-avatars',
    'bucket:write-avatars',
  ],
  versioned: true,
});

export const handler = handle(updateUser, async ({ ctx, params, body }) => {
  const user = await update(ctx, params.id, body.user, (caller, id) => keepAvatar(caller, bucketOf(ctx), id));
  const caller = user.id === ctx.caller.user.id ? { ...ctx.caller, user } : ctx.caller;
  return { user: presentUser(user, caller, ctx) };
});
