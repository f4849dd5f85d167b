import { ECDH } from 'node:crypto';
import { invalidField } from '#shared/errors.ts';
import type { Platform } from './device-token.ts';

/** Tokens of push services. */

export interface ReadToken {
  /** In one form, however it was sent. */
  token: string;
  /** The part that names the device. */
  name: string;
}

/** https://www.w3.org/TR/push-api/#pushsubscription-interface */
export interface WebSubscription {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}

const refused = (message: string) => invalidField('token', 'invalid_format', message);

/** APNs does not promise a length: https://developer.apple.com/documentation/usernotifications/registering-your-app-with-apns */
const HEXADECIMAL = /^(?:[0-9a-f]{2}){16,128}$/;

function ofIos(sent: string): ReadToken {
  const token = sent.toLowerCase();
  if (!HEXADECIMAL.test(token)) throw refused('must be a device token in hexadecimal digits');
  return { token, name: token };
}

function ofAndroid(token: string): ReadToken {
  if (!/^[\w:.-]{16,}$/.test(token)) throw refused('must be a registration token of FCM');
  return { token, name: token };
}

const BASE64URL = /^[\w-]+=*$/;

/** A point of the curve P-256, and 16 bytes (RFC 8291, sections 3.1 and 3.2). */
function areKeys({ p256dh, auth }: WebSubscription['keys']): boolean {
  if (!BASE64URL.test(p256dh) || !BASE64URL.test(auth)) return false;
  if (Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    ECDH.convertKey(p256dh, 'prime256v1', 'base64url');
    return Buffer.from(p256dh, 'base64url').length === 65;
  } catch {
    return false;
  }
}

function parsed(sent: string): unknown {
  try {
    return JSON.parse(sent);
  } catch {
    return undefined;
  }
}

/** Its address is checked again, with what its host resolves to, when something is sent there. */
function isEndpoint(url: URL | null): url is URL {
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
}

function ofWeb(sent: string): ReadToken {
  const { endpoint, keys } = (parsed(sent) ?? {}) as Partial<WebSubscription>;
  if (typeof endpoint !== 'string' || typeof keys?.p256dh !== 'string' || typeof keys.auth !== 'string')
    throw refused('must be the JSON of a PushSubscription, with endpoint and keys');
  const url = URL.parse(endpoint);
  if (!isEndpoint(url)) throw refused('must have an endpoint that begins with https://');
  const { p256dh, auth } = keys;
  if (!areKeys({ p256dh, auth })) throw refused('must have the keys p256dh and auth of the browser');
  const subscription: WebSubscription = { endpoint: url.href, keys: { p256dh, auth } };
  return { token: JSON.stringify(subscription), name: url.href };
}

const readers = { ios: ofIos, android: ofAndroid, web: ofWeb } satisfies Record<
  Platform,
  (sent: string) => ReadToken
>;

/** 400 for a token that the platform does not have. */
export const readToken = (platform: Platform, sent: string): ReadToken => readers[platform](sent);
