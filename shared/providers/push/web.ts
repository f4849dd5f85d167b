import webpush from 'web-push';
import * as z from 'zod';
import { KEPT_SECONDS, type PushService } from '#shared/domain/collaboration/notifications/push/service.ts';
import type { Message } from '#shared/domain/collaboration/notifications/sending/message.ts';
import type { WebSubscription } from '#shared/domain/identity/device-tokens/read-token.ts';
import { NotPublic, type PublicRequest, publicRequest } from '../outside/public-request.ts';
import { failureOf } from './outcome.ts';

/** Push services of browsers: RFC 8030, encrypted by RFC 8291, signed by RFC 8292 (VAPID). */

export const webKeys = z.strictObject({
  /** An address to complain to. */
  subject: z.string().regex(/^(mailto:|https:\/\/)/, { error: 'must begin with mailto: or https://' }),
  public_key: z.string(),
  private_key: z.string(),
});

/** What the service worker of the page gets. */
function payloadOf({ title, body, ...data }: Message): string {
  return JSON.stringify({ title, body, tag: data.notification_id, data });
}

export function webPush(
  { subject, public_key, private_key }: z.output<typeof webKeys>,
  post: PublicRequest = publicRequest(),
): PushService {
  const vapidDetails = { subject, publicKey: public_key, privateKey: private_key };
  return {
    async send(token, message, signal) {
      const subscription = JSON.parse(token) as WebSubscription;
      const { headers, body, endpoint } = webpush.generateRequestDetails(subscription, payloadOf(message), {
        vapidDetails,
        TTL: KEPT_SECONDS,
        // 32 characters at most; a later message of the same topic takes the place of one that waits.
        topic: message.notification_id.replaceAll('-', ''),
      });
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]));
      try {
        const { status } = await post(endpoint, { headers: sent, body: body as Buffer, signal });
        if (status === 404 || status === 410) return 'gone';
        if (status >= 200 && status < 300) return 'sent';
        throw failureOf('web push', status);
      } catch (error) {
        if (error instanceof NotPublic) return 'gone';
        throw error;
      }
    },
  };
}
