import type { Context } from '#shared/context.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { refreshThreads } from '#shared/domain/mail/threads/refresh.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { ItemTooLarge } from '#shared/table/table.ts';
import { announce, type FollowsMail } from './arrived.ts';
import type { Batch } from './batch.ts';
import type { Target } from './take.ts';

/** Threads refreshed together. */
const THREADS_AT_ONCE = 50;

/** The mail is there even when updating one reader's lists fails. */
function passOver(thread_id: string, error: unknown): void {
  if (!(error instanceof ItemTooLarge)) throw error;
  getLogger().error('a thread is too large for its lists', { thread_id, error: describeError(error) });
}

/** Waits for the messages of a batch, puts their threads into the lists of all who read them, and tells of them. */
export async function finishBatch(ctx: Context<FollowsMail>, target: Target, batch: Batch): Promise<void> {
  const { table } = ctx;
  await batch.settled();
  const { threads } = batch;
  if (threads.length === 0) return;
  // Reads the readers again: mail arrives for minutes, in which access may be granted.
  const members = await membersOf(table, target.mailbox.account_id);
  for (let i = 0; i < threads.length; i += THREADS_AT_ONCE)
    await refreshThreads(table, threads.slice(i, i + THREADS_AT_ONCE), members, { failed: passOver });
  await announce(ctx, target, batch);
}
