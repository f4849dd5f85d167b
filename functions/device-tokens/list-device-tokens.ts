import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { deviceTokenSchema, presentDeviceToken } from '#shared/domain/identity/device-tokens/device-token.ts';
import { listDeviceTokens as list } from '#shared/domain/identity/device-tokens/store.ts';

export const listDeviceTokens = route('listDeviceTokens', {
  method: 'GET',
  path: '/device_tokens',
  access: 'session',
  summary: 'List devices',
  description: "The user's own devices that receive push messages, oldest first, without their tokens.",
  returns: { 200: { device_tokens: z.array(deviceTokenSchema) } },
  uses: ['table:read'],
});

export const handler = handle(listDeviceTokens, async ({ ctx }) => ({
  device_tokens: (await list(ctx.table, ctx.caller.user)).map(presentDeviceToken),
}));
