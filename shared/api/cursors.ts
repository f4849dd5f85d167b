import { invalidField } from '#shared/errors.ts';
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

interface SentBothWays {
  next_cursor?: string | undefined;
  prev_cursor?: string | undefined;
}

/** The cursors of one request to a list that is read in both directions; a cursor works in its own direction only. */
export function cursorsBothWaysOf(
  services: Services,
  scope: CursorScope,
  { next_cursor, prev_cursor }: SentBothWays,
) {
  if (next_cursor !== undefined && prev_cursor !== undefined)
    throw invalidField('prev_cursor', 'invalid', 'cannot be sent together with next_cursor');
  const onwards = cursorsOf(services, { ...scope, list: `${scope.list}:next` }, next_cursor);
  const backwards = cursorsOf(services, { ...scope, list: `${scope.list}:prev` }, prev_cursor);
  const { after } = onwards;
  const { after: before } = backwards;
  return {
    /** Undefined on the first page. */
    position: after !== undefined ? { after } : before !== undefined ? { before } : undefined,
    cursorsAt: ({ next, prev }: { next: string | null; prev: string | null }) => ({
      next_cursor: onwards.cursorAt(next),
      prev_cursor: backwards.cursorAt(prev),
    }),
  };
}
