import { createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Item } from '#shared/table/table.ts';

/** One-time codes by mail, with which people sign in (docs/decisions/0061-one-time-codes.md). */

/** Milliseconds in which a code works. */
export const LIFETIME = 10 * 60_000;
/** Wrong tries of a code. */
export const MAX_TRIES = 5;
/** Codes for an address in an hour. */
export const HOURLY_LIMIT = 5;

/** ASCII digits only: `\d` is no more than that in JavaScript, unlike elsewhere. */
const FORM = /^\d{6}$/;

/** A code in a request. */
export const oneTimeCode = z
  .string()
  .trim()
  .regex(FORM, { error: 'must be six digits' })
  .meta({ example: '482913' });

/** The latest code for an address, known or not. A code that was used, or is not sent yet, has no hash. */
export type OneTimeCode = Item & {
  /** Missing once it is used. */
  code_id?: string;
  /** Milliseconds: when codes were asked for, in the last hour. */
  asked_at_ms: number[];
  /** Milliseconds: until then it is sent, and from then on it works as long again. */
  expires_at_ms?: number;
  hash?: string;
  tries?: number;
};

/** What a hash is of: a code for another address, or an older one, has another hash. */
export interface Stated {
  email_address: string;
  code_id: string;
  code: string;
}

/** The keys sign other things as well: this one is of codes only. */
const keyFrom = (secret: string) => createHmac('sha256', secret).update('one-time codes').digest();

/** Without the secret, a million hashes would tell the code. */
function hashBy(secret: string, { email_address, code_id, code }: Stated): Buffer {
  return createHmac('sha256', keyFrom(secret))
    .update(JSON.stringify([email_address, code_id, code]))
    .digest();
}

/** `secrets` newest first. */
export function hashCode(secrets: string[], stated: Stated): string {
  return hashBy(secrets[0] as string, stated).toString('hex');
}

/** Also by an older secret: a code may be sent before a rotation, and tried after it. */
export function matches(secrets: string[], stated: Stated, hash: string): boolean {
  const stored = Buffer.from(hash, 'hex');
  return secrets.some((secret) => timingSafeEqual(hashBy(secret, stated), stored));
}

export const isCode = (text: string) => FORM.test(text);
