import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import * as z from 'zod';

/**
 * The token of a link that ends mail about notifications. It is of one user and this purpose, needs no session and no
 * item, and says nothing to who sees it: it is encrypted, and each mail has another one.
 */

export interface Whose {
  account_id: string;
  user_id: string;
}

const DAY = 86_400_000;
/** Days: mail is found again after months. */
const LIFETIME = 366;

const ALGORITHM = 'aes-256-gcm';
const NONCE = 12;
const TAG = 16;
const UUID = 16;
const CONTENT = 2 * UUID + 4;
const LENGTH = NONCE + CONTENT + TAG;

/** The secret signs other things as well: this key is of these tokens only. */
const keyFrom = (secret: string) => createHmac('sha256', secret).update('ending notification mail').digest();

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A token in a request. */
export const tokenOfMail = z.string().meta({
  description: 'What the link in the mail has; it works for a year',
  example: 'E'.repeat(Math.ceil((LENGTH * 4) / 3)),
});

const dayOf = (now: Date) => Math.floor(now.getTime() / DAY);

/** `secrets` newest first. */
export function unsubscribeToken(secrets: string[], { account_id, user_id }: Whose, now: Date): string {
  const day = Buffer.alloc(4);
  day.writeUInt32BE(dayOf(now));
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv(ALGORITHM, keyFrom(secrets[0] as string), nonce);
  const content = cipher.update(Buffer.concat([bytesOf(account_id), bytesOf(user_id), day]));
  return Buffer.concat([nonce, content, cipher.final(), cipher.getAuthTag()]).toString('base64url');
}

/** Undefined for bytes that were not made with this secret. */
function opened(secret: string, bytes: Buffer): Buffer | undefined {
  const decipher = createDecipheriv(ALGORITHM, keyFrom(secret), bytes.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAuthTag(bytes.subarray(LENGTH - TAG));
  const content = decipher.update(bytes.subarray(NONCE, LENGTH - TAG));
  try {
    decipher.final();
    return content;
  } catch {
    return undefined;
  }
}

/** Whose mail the token ends; undefined for anything but a token of the last year. */
export function readUnsubscribeToken(secrets: string[], token: string, now: Date): Whose | undefined {
  const bytes = Buffer.from(token, 'base64url');
  // Only the canonical spelling: base64 has several for one value.
  if (bytes.length !== LENGTH || bytes.toString('base64url') !== token) return undefined;
  for (const secret of secrets) {
    const content = opened(secret, bytes);
    if (!content) continue;
    if (dayOf(now) - content.readUInt32BE(2 * UUID) > LIFETIME) return undefined;
    return {
      account_id: uuidOf(content.subarray(0, UUID)),
      user_id: uuidOf(content.subarray(UUID, 2 * UUID)),
    };
  }
  return undefined;
}
