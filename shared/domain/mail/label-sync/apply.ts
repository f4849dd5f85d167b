import { isDeepStrictEqual } from 'node:util';
import { asOfNow, type Context } from '#shared/context.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { nextEntry, stateOf, valuesOf } from '#shared/domain/mail/threads/entry.ts';
import { entryWrites } from '#shared/domain/mail/threads/lists/write-entry.ts';
import type { EntryState, ThreadEntry } from '#shared/domain/mail/threads/thread.ts';
import { TryLater } from '#shared/queues/try-later.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { missing, when } from '#shared/table/table.ts';
import { type LabelJob, labelJobId } from './job.ts';
import type { Labels } from './labels.ts';
import { syncLabels } from './sync.ts';

/** Gives a user's thread the labels that it has at the servers, after what is owed to them went out. */

export type Following = Context<ReachesMailServers>;

/** Throws TryLater while another worker writes it. */
async function sendOwed(ctx: Following, user_id: string, thread_id: string): Promise<void> {
  const job = keys.job(labelJobId(user_id, thread_id));
  const owed = await ctx.table.get<LabelJob>(job);
  if (!owed) return;
  await syncLabels(asOfNow(ctx), owed.id);
  if (await ctx.table.get(job)) throw new TryLater('Marks of the thread are on their way to the server');
}

function stateWith(state: EntryState, { read, flagged }: Labels): EntryState {
  const { unread: _unread, flagged: _flagged, ...rest } = state;
  return {
    ...rest,
    ...((read === undefined ? state.unread : !read) ? { unread: 1 as const } : {}),
    ...((flagged ?? state.flagged) ? { flagged: 1 as const } : {}),
  };
}

/** Fails when the user changes the thread meanwhile: that goes out first, then. */
export function applyLabels(
  ctx: Following,
  user_id: string,
  thread_id: string,
  wanted: () => Promise<Labels>,
): Promise<void> {
  const { table } = ctx;
  const key = keys.threadEntry(user_id, thread_id);
  return retryOnConflict(async () => {
    await sendOwed(ctx, user_id, thread_id);
    const before = await table.get<ThreadEntry>(key);
    const labels = await wanted();
    if (!before) return;
    const after = stateWith(stateOf(before), labels);
    if (isDeepStrictEqual(after, stateOf(before))) return;
    const nothingOwed = {
      check: keys.job(labelJobId(user_id, thread_id)),
      when: when<LabelJob>({ PK: missing }),
    };
    await table.transact([...entryWrites(before, nextEntry(before, valuesOf(before), after)), nothingOwed]);
  });
}
