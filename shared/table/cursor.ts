import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ApiError } from '#shared/errors.ts';

/**
 * Cursors of forward lists: opaque, signed, and bound to the list, its order, its filters and the user
 * (docs/specification/requests.md, "Cursors"). A cursor holds the sort string of the last row, never a table key.
 */
export interface CursorScope {
  /** Name of the list and its order, for example `threads` or `contacts:name:asc`. */
  list: string;
  filters: Record<string, unknown> | null;
  user_id: string;
}

const MAC_BYTES = 16;
/** Longer than the position of any list, so that junk is refused before it is hashed. */
const MAX_LENGTH = 2_048;

function canonical(value: Record<string, unknown> | null): string {
  return JSON.stringify(Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function mac(key: string, scope: CursorScope, position: Buffer): Buffer {
  const bound = createHash('sha256')
    .update(JSON.stringify([scope.list, canonical(scope.filters), scope.user_id]))
    .digest();
  return createHmac('sha256', key).update(bound).update(position).digest().subarray(0, MAC_BYTES);
}

/** `signingKeys` newest first: the first one signs. */
export function writeCursor(signingKeys: string[], scope: CursorScope, position: string): string {
  const bytes = Buffer.from(position, 'utf8');
  return Buffer.concat([mac(signingKeys[0] as string, scope, bytes), bytes]).toString('base64url');
}

/** The position, or 400 `invalid_cursor` for anything but an unmodified cursor of the same scope. */
export function readCursor(signingKeys: string[], scope: CursorScope, cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  // Only the canonical spelling is accepted: base64 has several for one value.
  const wellFormed =
    cursor.length <= MAX_LENGTH && bytes.length > MAC_BYTES && bytes.toString('base64url') === cursor;
  if (!wellFormed) throw new ApiError('invalid_cursor');
  const position = bytes.subarray(MAC_BYTES);
  const given = bytes.subarray(0, MAC_BYTES);
  if (!signingKeys.some((key) => timingSafeEqual(mac(key, scope, position), given)))
    throw new ApiError('invalid_cursor');
  return position.toString('utf8');
}
