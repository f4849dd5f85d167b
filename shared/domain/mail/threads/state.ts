import { isDeepStrictEqual } from 'node:util';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { nextEntry, stateOf, valuesOf } from './entry.ts';
import { entryWrites } from './lists/write-entry.ts';
import { refreshForUser } from './members.ts';
import { requireSeenThread } from './policy.ts';
import type { EntryState, ThreadEntry } from './thread.ts';

/** The caller's entry of a thread; made now when the thread was opened to the user only a moment ago. */
async function requireEntry(ctx: CallerContext, id: string): Promise<ThreadEntry> {
  const { thread, entry } = await requireSeenThread(ctx, id);
  if (entry) return entry;
  await refreshForUser(ctx.table, ctx.caller.user, thread.id);
  const made = (await requireSeenThread(ctx, id)).entry;
  if (!made) throw recordNotFound();
  return made;
}

export type Change = (state: EntryState) => EntryState;

/** What a change writes besides, from the entry and state before to the state after it. */
export type Owed = (before: ThreadEntry, after: EntryState) => Write[];

/**
 * What a user keeps of a thread, changed in one transaction with the user's lists: 404 when the thread is hidden, and
 * nothing is written when the thread is in that state already.
 */
export function changeState(
  ctx: CallerContext,
  id: string,
  change: Change,
  owed: Owed = () => [],
): Promise<void> {
  return retryOnConflict(async () => {
    const before = await requireEntry(ctx, id);
    const state = change(stateOf(before));
    if (isDeepStrictEqual(state, stateOf(before))) return;
    const writes = entryWrites(before, nextEntry(before, valuesOf(before), state));
    await ctx.table.transact([...writes, ...owed(before, state)]);
  });
}

/** The state without some of its parts. */
export function without(...parts: (keyof EntryState)[]): Change {
  return (state) => {
    const left = { ...state };
    for (const part of parts) delete left[part];
    return left;
  };
}

export function having(part: EntryState): Change {
  return (state) => ({ ...state, ...part });
}
