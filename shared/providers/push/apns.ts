import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2';
import { importPKCS8, SignJWT } from 'jose';
import * as z from 'zod';
import { KEPT_SECONDS, type PushService } from '#shared/domain/collaboration/notifications/push/service.ts';
import type { Message } from '#shared/domain/collaboration/notifications/sending/message.ts';
import { failureOf } from './outcome.ts';

/** Apple's push service: https://developer.apple.com/documentation/usernotifications/sending-notification-requests-to-apns */

export const appleKeys = z.strictObject({
  /** The contents of the .p8 file. */
  key: z.string(),
  key_id: z.string(),
  team_id: z.string(),
  /** The bundle id of the app. */
  topic: z.string(),
  url: z.url().default('https://api.push.apple.com'),
});

type AppleKeys = z.output<typeof appleKeys>;

/** Milliseconds: Apple wants a new token after 20 to 60 minutes. */
const TOKEN_AGE = 40 * 60_000;
/** Milliseconds without a message. */
const IDLE = 10_000;
/** Bytes of a response: a reason. */
const LONGEST_REASON = 4_096;

const GONE = new Set(['BadDeviceToken', 'DeviceTokenNotForTopic', 'Unregistered', 'ExpiredToken']);

function payloadOf({ title, body, ...data }: Message): string {
  return JSON.stringify({ aps: { alert: { title, body }, sound: 'default' }, ...data });
}

/** One for all messages, as Apple asks for, while there are any. */
class Connection {
  readonly #url: string;
  #session: ClientHttp2Session | undefined;

  constructor(url: string) {
    this.#url = url;
  }

  open(): ClientHttp2Session {
    if (this.#session && !this.#session.closed && !this.#session.destroyed) return this.#session;
    const session = connect(this.#url);
    this.#session = session;
    session.setTimeout(IDLE, () => session.close());
    // Every stream of it fails with the same error.
    session.on('error', () => session.destroy());
    session.on('goaway', () => session.close());
    return session;
  }

  /** Nothing more is sent over one that does not answer. */
  drop(session: ClientHttp2Session): void {
    session.destroy();
  }
}

/** Status, and reason when it is not success. */
async function answerOf(stream: ClientHttp2Stream): Promise<{ status: number; reason: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  stream.on('response', (headers) => resolve(headers[':status'] ?? 0));
  stream.on('error', reject);
  stream.on('close', () => reject(new Error('APNs closed the stream')));
  const status = await promise;
  let text = '';
  stream.setEncoding('utf8');
  for await (const chunk of stream) if ((text += chunk).length > LONGEST_REASON) break;
  return { status, reason: /"reason"\s*:\s*"(\w+)"/.exec(text)?.[1] ?? '' };
}

export function applePush(keys: AppleKeys, clock: () => number = Date.now): PushService {
  const connection = new Connection(keys.url);
  let signed: { token: string; at: number } | undefined;
  const bearer = async (): Promise<string> => {
    if (!signed || clock() - signed.at > TOKEN_AGE) {
      const at = clock();
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'ES256', kid: keys.key_id })
        .setIssuer(keys.team_id)
        .setIssuedAt(Math.floor(at / 1_000))
        .sign(await importPKCS8(keys.key, 'ES256'));
      signed = { token, at };
    }
    return signed.token;
  };
  return {
    async send(token, message, signal) {
      const authorization = `bearer ${await bearer()}`;
      const session = connection.open();
      const stream = session.request(
        {
          ...{ ':method': 'POST', ':path': `/3/device/${token}`, authorization },
          ...{ 'apns-topic': keys.topic, 'apns-push-type': 'alert', 'apns-priority': '10' },
          'apns-expiration': String(Math.floor(clock() / 1_000) + KEPT_SECONDS),
          'apns-collapse-id': message.notification_id,
        },
        { signal },
      );
      stream.end(payloadOf(message));
      const { status, reason } = await answerOf(stream).catch((error: unknown) => {
        if (signal.aborted) connection.drop(session);
        throw error;
      });
      if (status === 200) return 'sent';
      if (GONE.has(reason)) return 'gone';
      if (reason === 'ExpiredProviderToken') {
        signed = undefined;
        throw new Error('APNs: ExpiredProviderToken');
      }
      throw failureOf('APNs', status, reason);
    },
  };
}
