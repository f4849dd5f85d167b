import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createDeviceToken as create } from '#shared/domain/identity/device-tokens/create.ts';
import {
  deviceTokenDraft,
  deviceTokenSchema,
  presentDeviceToken,
} from '#shared/domain/identity/device-tokens/device-token.ts';

export const createDeviceToken = route('createDeviceToken', {
  method: 'POST',
  path: '/device_tokens',
  access: 'session',
  summary: 'Register a device',
  description:
    'From then on it receives push messages of the user. A token that is registered keeps its record, which moves to this user. A user has at most 50 devices.',
  body: { device_token: deviceTokenDraft },
  examples: {
    body: {
      device_token: {
        platform: 'android',
        token: 'fGw0qy4TQfmX2bBq:APA91bHPRgkF9fQ3xA',
        name: 'Pixel',
        app_version: '4.2.0',
      },
    },
  },
  returns: { 200: { device_token: deviceTokenSchema } },
  uses: ['table:write'],
});

export const handler = handle(createDeviceToken, async ({ ctx, body }) => ({
  device_token: presentDeviceToken(await create(ctx, body.device_token)),
}));
