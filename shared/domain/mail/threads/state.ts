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

/** The caller's entry of a thread; created now when the thread was opened to the user a moment ago. */
async function requireEntry(ctx: CallerContext, id: string): Promise<ThreadEntry> {
  const { thread, entry } = await requireSeenThread(ctx, id);
  if (entry) return entry;
  await refreshForUser(ctx.table, ctx.caller.user, thread.id);
  const made = (await requireSeenThread(ctx, id)).entry;
  if (!made) throw recordNotFound();
  return made;
}

export type Change = (state: EntryState) => EntryState;

interface PlannedState {
  before: ThreadEntry;
  after: EntryState;
  /** Including those of the user's lists. */
  writes: Write[];
}

/** Undefined when the thread already has that state. 404 when it is hidden. */
export async function planState(
  ctx: CallerContext,
  id: string,
  change: Change,
): Promise<PlannedState | undefined> {
  const before = await requireEntry(ctx, id);
  const after = change(stateOf(before));
  if (isDeepStrictEqual(after, stateOf(before))) return undefined;
  return { before, after, writes: entryWrites(before, nextEntry(before, valuesOf(before), after)) };
}

/** Changes state that no mail server stores, in one transaction. */
export function changeState(ctx: CallerContext, id: string, change: Change): Promise<void> {
  return retryOnConflict(async () => {
    const planned = await planState(ctx, id, change);
    if (planned) await ctx.table.transact(planned.writes);
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
