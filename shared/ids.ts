import { createHash, randomBytes } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any UUID version, upper or lower case. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

function formatUuid(bytes: Buffer, version: number): string {
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** The type of attributes that are named by ids. */
export type Uuid = `${string}-${string}-${string}-${string}-${string}`;

/** A UUIDv7 (RFC 9562, 5.7): sorts by its creation time in milliseconds. */
export function newId(at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  return formatUuid(bytes, 7);
}

/** A UUIDv8 (RFC 9562, 5.8), always the same for the same parts: writing it twice writes it once. */
export function idFrom(...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  return formatUuid(digest.subarray(0, 16), 8);
}
