import type { Context } from '#shared/context.ts';
import { clearDependents } from '#shared/domain/collaboration/life/carry.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import { taggingsOfRecords } from '#shared/domain/collaboration/tags/dependent.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { missing, present, type Table, update, when } from '#shared/table/table.ts';
import { threadRef } from './discard.ts';
import { messagesOf } from './messages.ts';
import type { Thread, ThreadShare } from './thread.ts';

/** Removes what users added to a thread of which all messages were purged. */

/** It is as it was read, so that no delivery has come to it. */
const asEmpty = ({ version }: Thread) => ({
  PK: present,
  merged_into: missing,
  mailbox_ids: missing,
  version,
});

const rowOf = ({ group_id }: ThreadShare, thread_id: string): Key[] =>
  group_id === null ? [] : [keys.groupShare(group_id, 'threads', thread_id)];

async function removeShares(table: Table, thread: Thread): Promise<void> {
  for (const share of Object.values(thread.shares ?? {}))
    await table.transact([
      update<Thread>(keys.record('threads', thread.id), {
        remove: [['shares', share.id]],
        when: asEmpty(thread),
      }),
      ...rowOf(share, thread.id).map((key) => ({ delete: key })),
    ]);
}

/** Each with the tags that the thread itself names. */
async function removeTags(ctx: Context, thread: Thread): Promise<void> {
  const { id } = thread;
  const untagged = update<Thread>(keys.record('threads', id), {
    remove: ['tag_ids'],
    when: asEmpty(thread),
  });
  for await (const writes of taggingsOfRecords.removing(ctx, threadRef(id)))
    await ctx.table.transact([...writes, untagged]);
}

async function emptyThread(table: Table, id: string): Promise<Thread | undefined> {
  const thread = await table.get<Thread>(keys.record('threads', id));
  const messages = await messagesOf(table, id);
  const isEmpty = messages.length > 0 && messages.every(({ trace }) => trace !== undefined);
  const isOpen = thread?.merged_into === undefined && thread?.mailbox_ids === undefined;
  return isEmpty && isOpen ? thread : undefined;
}

/** False when the time was up. Nothing of a thread that has messages, or gets one meanwhile. */
export function clearThread(
  ctx: Context<KnowsDependents>,
  id: string,
  timeIsUp: () => boolean,
): Promise<boolean> {
  return retryOnConflict(async () => {
    const thread = await emptyThread(ctx.table, id);
    if (!thread) return true;
    await removeShares(ctx.table, thread);
    await removeTags(ctx, thread);
    return clearDependents(ctx, threadRef(id), when<Thread>(asEmpty(thread)), timeIsUp);
  });
}
