import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The text of a credential: `wsk_<kind>_` + 32 random base62 characters (190 bits) + 6 base62 characters of CRC32. The
 * prefix lets secret scanners find leaked keys; the checksum refuses typing errors and junk without a look-up. Only the
 * SHA-256 is stored: with this much entropy a slow hash adds nothing.
 */
export type CredentialKind = 'api_key' | 'session';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;
const PREFIX: Record<CredentialKind, string> = { api_key: 'wsk_live_', session: 'wsk_session_' };
const FORM = /^wsk_(live|session)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;

/** For secret scanners. */
export const SECRET_PATTERN = 'wsk_(live|session)_[0-9A-Za-z]{38}';

function checksum(text: string): string {
  let rest = crc32(text);
  let encoded = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    encoded = ALPHABET[rest % 62] + encoded;
    rest = Math.floor(rest / 62);
  }
  return encoded;
}

function randomText(): string {
  let text = '';
  // Bytes from 248 on are skipped so that every character is equally likely.
  while (text.length < RANDOM_LENGTH)
    for (const byte of randomBytes(48))
      if (byte < 248 && text.length < RANDOM_LENGTH) text += ALPHABET[byte % 62];
  return text;
}

export function newSecret(kind: CredentialKind): string {
  const start = PREFIX[kind] + randomText();
  return start + checksum(start);
}

/** Whether form and checksum are right, so that a look-up is worthwhile. */
export function isWellFormedSecret(secret: string): boolean {
  return FORM.test(secret) && checksum(secret.slice(0, -CHECKSUM_LENGTH)) === secret.slice(-CHECKSUM_LENGTH);
}

export function hashSecret(secret: string): string {
  return hash('sha256', secret);
}

/** What people recognize a key by: the prefix and four characters. */
export function secretHint(secret: string): string {
  return secret.slice(0, PREFIX.api_key.length + 4);
}
