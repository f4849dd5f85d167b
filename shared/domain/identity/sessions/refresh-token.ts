import { randomBytes, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

/**
 * The text of a refresh token: `wsk_refresh_` and the base64url of its parts, in this order: the user, the session, the
 * generation, the secret of the family, a secret of its own, and a CRC32, by which a mutilated token is not taken for an
 * old one. All tokens of a session share the secret of the family: it proves that a token of any generation was issued,
 * so none of the old ones is stored.
 */
export interface RefreshToken {
  user_id: string;
  session_id: string;
  /** Counts the refreshes of its session. */
  generation: number;
  /** Of the session, in base64url. */
  family: string;
  text: string;
}

const PREFIX = 'wsk_refresh_';
/** Where each part begins, in bytes; the user is first. */
const [SESSION_AT, GENERATION_AT, FAMILY_AT, OWN_AT, CHECKSUM_AT, LENGTH] = [16, 32, 36, 52, 76, 80];
/** The base64url of 80 bytes; bits beyond them are 0, so that a token has one text only. */
const FORM = /^wsk_refresh_([\w-]{106}[AEIMQUYcgkosw048])$/;

/** For secret scanners. */
export const REFRESH_TOKEN_PATTERN = 'wsk_refresh_[0-9A-Za-z_-]{107}';

const idBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(LENGTH - CHECKSUM_AT);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}

export const newFamily = (): string => randomBytes(OWN_AT - FAMILY_AT).toString('base64url');

export function newRefreshToken(parts: Omit<RefreshToken, 'text'>): RefreshToken {
  const generation = Buffer.alloc(FAMILY_AT - GENERATION_AT);
  generation.writeUInt32BE(parts.generation);
  const bytes = Buffer.concat([
    idBytes(parts.user_id),
    idBytes(parts.session_id),
    generation,
    Buffer.from(parts.family, 'base64url'),
    randomBytes(CHECKSUM_AT - OWN_AT),
  ]);
  const text = PREFIX + Buffer.concat([bytes, checksum(bytes)]).toString('base64url');
  return { ...parts, text };
}

/** Undefined for what is no refresh token. Whether it was issued, its session tells. */
export function readRefreshToken(text: string): RefreshToken | undefined {
  const sent = FORM.exec(text)?.[1];
  if (sent === undefined) return undefined;
  const bytes = Buffer.from(sent, 'base64url');
  const body = bytes.subarray(0, CHECKSUM_AT);
  if (!checksum(body).equals(bytes.subarray(CHECKSUM_AT))) return undefined;
  return {
    user_id: idOf(body.subarray(0, SESSION_AT)),
    session_id: idOf(body.subarray(SESSION_AT, GENERATION_AT)),
    generation: body.readUInt32BE(GENERATION_AT),
    family: body.toString('base64url', FAMILY_AT, OWN_AT),
    text,
  };
}

/** Takes the same time wherever they differ. */
export function isSameDigest(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
