import type { Services } from '#shared/services.ts';
import { type CursorScope, readCursor, writeCursor } from '#shared/table/cursor.ts';

/** The cursors of one request to a forward list: the position that was sent, and the cursor for the response. */
export function cursorsOf(services: Services, scope: CursorScope, sent: string | undefined) {
  const signing = services.config.cursor_keys;
  return {
    /** Undefined on the first page; 400 `invalid_cursor` for a cursor of another list, user or filter. */
    after: sent === undefined ? undefined : readCursor(signing, scope, sent),
    /** Null on the last page. */
    cursorAt: (position: string | null) => (position === null ? null : writeCursor(signing, scope, position)),
  };
}
