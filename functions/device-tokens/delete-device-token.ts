import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deleteDeviceToken as remove } from '#shared/domain/identity/device-tokens/delete.ts';
import { requireDeviceToken } from '#shared/domain/identity/device-tokens/policy.ts';

export const deleteDeviceToken = route('deleteDeviceToken', {
  method: 'DELETE',
  path: '/device_tokens/{id}',
  access: 'session',
  summary: 'Remove a device',
  description: 'It receives no more push messages of the user.',
  returns: { 204: null },
  uses: ['table:write'],
});

export const handler = handle(deleteDeviceToken, async ({ ctx, params }) => {
  await remove(ctx.table, await requireDeviceToken(ctx, params.id));
});
