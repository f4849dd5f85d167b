import { createECDH, randomBytes } from 'node:crypto';
import type { TestUser } from './workspace.ts';

/** Devices that receive push messages. */

type Platform = 'ios' | 'android' | 'web';

/** A subscription as a browser makes it. */
export function webSubscription(endpoint: string) {
  const browser = createECDH('prime256v1');
  browser.generateKeys();
  const auth = randomBytes(16);
  return {
    subscription: {
      endpoint,
      expirationTime: null,
      keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    browser,
    auth,
  };
}

export const aToken: Record<Platform, () => string> = {
  ios: () => randomBytes(32).toString('hex'),
  android: () => `${randomBytes(8).toString('hex')}:APA91b${randomBytes(40).toString('hex')}`,
  web: () =>
    JSON.stringify(webSubscription(`https://push.example/${randomBytes(16).toString('hex')}`).subscription),
};

export async function givenDevice(
  { session }: TestUser,
  platform: Platform,
  token = aToken[platform](),
  fields: { name?: string } = {},
) {
  const device_token = { platform, token, ...fields };
  return (await session.createDeviceToken({ body: { device_token } })).body.device_token;
}
