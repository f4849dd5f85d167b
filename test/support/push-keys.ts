import { generateKeyPairSync } from 'node:crypto';
import webpush from 'web-push';
import type { Message } from '#shared/domain/collaboration/notifications/sending/message.ts';

/** Keys of push services, and a message. */

const { publicKey, privateKey } = webpush.generateVAPIDKeys();
export const vapid = {
  subject: 'mailto:ops@acme.example',
  public_key: publicKey,
  private_key: privateKey,
};

const pem = { type: 'pkcs8', format: 'pem' } as const;
export const apple = generateKeyPairSync('ec', { namedCurve: 'P-256' });
export const appleKey = apple.privateKey.export(pem).toString();
export const google = generateKeyPairSync('rsa', { modulusLength: 2_048 });
export const googleKey = google.privateKey.export(pem).toString();

export const aMessage: Message = {
  notification_id: '0198c0de-0000-7000-8000-000000000001',
  event: 'comment_mentioned',
  title: 'Grace Hopper mentioned you',
  body: 'Zoë’s 工場 🚢',
  record_type: 'thread',
  record_id: '0198c0de-0000-7000-8000-000000000002',
};

export const soon = () => AbortSignal.timeout(3_000);
