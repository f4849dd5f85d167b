import * as z from 'zod';
import type { SendsPushes } from '#shared/domain/collaboration/notifications/push/service.ts';
import { appleKeys, applePush } from './apns.ts';
import { googleKeys, googlePush } from './fcm.ts';
import { webKeys, webPush } from './web.ts';

/** `PUSH_CREDENTIALS`: docs/operations.md, "Push messages". */
const credentials = z.strictObject({
  web: webKeys.optional(),
  ios: appleKeys.optional(),
  android: googleKeys.optional(),
});

type Services = ReturnType<SendsPushes['push_services']>;

/** Throws without the text, which holds keys. */
function readCredentials(text: string): z.output<typeof credentials> {
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    throw new Error('PUSH_CREDENTIALS is not JSON');
  }
  const { data, error } = credentials.safeParse(sent);
  if (data) return data;
  const names = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new Error(`PUSH_CREDENTIALS does not fit: ${names.join('; ')}`);
}

const known = new Map<string, Services>();

/** The same services for the same credentials: they keep their tokens and connections. */
export function servicesOf(text: string | undefined): Services {
  if (text === undefined) return {};
  let services = known.get(text);
  if (!services) {
    const { web, ios, android } = readCredentials(text);
    services = {
      web: web && webPush(web),
      ios: ios && applePush(ios),
      android: android && googlePush(android),
    };
    known.set(text, services);
  }
  return services;
}
