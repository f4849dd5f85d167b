import * as z from 'zod';
import { openBytes, sealBytes } from '#shared/domain/platform/secrets/seal.ts';

/**
 * The token of a link that ends mail about notifications. It is of one user and this purpose, needs no session and no
 * item, and says nothing to who sees it: it is encrypted, and each mail has another one.
 */

export interface Whose {
  account_id: string;
  user_id: string;
}

const PLACE = 'ending notification mail';

const DAY = 86_400_000;
/** Days: mail is found again after months. */
const LIFETIME = 366;

const UUID = 16;
const CONTENT = 2 * UUID + 4;

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

/** A token in a request. */
export const tokenOfMail = z.string().meta({
  description: 'What the link in the mail has; it works for a year',
  example: 'E'.repeat(86),
});

const dayOf = (now: Date) => Math.floor(now.getTime() / DAY);

/** `secrets` newest first. */
export function unsubscribeToken(secrets: string[], { account_id, user_id }: Whose, now: Date): string {
  const day = Buffer.alloc(4);
  day.writeUInt32BE(dayOf(now));
  return sealBytes(secrets, Buffer.concat([bytesOf(account_id), bytesOf(user_id), day]), PLACE);
}

/** Whose mail the token ends; undefined for anything but a token of the last year. */
export function readUnsubscribeToken(secrets: string[], token: string, now: Date): Whose | undefined {
  const content = openBytes(secrets, token, PLACE);
  if (content?.length !== CONTENT) return undefined;
  if (dayOf(now) - content.readUInt32BE(2 * UUID) > LIFETIME) return undefined;
  return {
    account_id: uuidOf(content.subarray(0, UUID)),
    user_id: uuidOf(content.subarray(UUID, 2 * UUID)),
  };
}
