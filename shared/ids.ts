import { createHash, randomUUID } from 'node:crypto';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Any UUID version, upper or lower case. */
export function isUuid(value: string): boolean {
  return UUID.test(value);
}

/** The type of attributes that are named by ids. */
export type Uuid = `${string}-${string}-${string}-${string}-${string}`;

/** A UUIDv7 (RFC 9562, 5.7): sorts by its creation time in milliseconds. */
export function newId(at: Date): string {
  const time = Math.max(0, at.getTime()).toString(16).padStart(12, '0');
  // Node keeps random bytes ready for UUIDs of version 4, whose bits after the version are those of version 7.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

let last = '';
let count = 0;

/**
 * The same; those that one process makes in one millisecond sort in the order in which they were made, by a counter in the
 * 12 bits after the version (RFC 9562, 6.2, method 1).
 */
export function newOrderedId(at: Date): string {
  const id = newId(at);
  const time = id.slice(0, 13);
  count = time === last ? Math.min(count + 1, 0xfff) : 0;
  last = time;
  return `${time}-7${count.toString(16).padStart(3, '0')}${id.slice(18)}`;
}

/** When a UUIDv7 was made. */
export function idTime(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 13).replace('-', ''), 16));
}

/** The same, but always the same for the same parts. */
export function newIdFrom(at: Date, ...parts: string[]): string {
  return `${newId(at).slice(0, 15)}${idFrom(...parts).slice(15)}`;
}

/** A UUIDv8 (RFC 9562, 5.8), always the same for the same parts: writing it twice writes it once. */
export function idFrom(...parts: string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest();
  digest[6] = (digest[6]! & 0x0f) | 0x80;
  digest[8] = (digest[8]! & 0x3f) | 0x80;
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
