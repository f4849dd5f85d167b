import { mapAtOnce } from '#shared/at-once.ts';
import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import { complete, dispatchAgain, enqueue, type Job } from '#shared/domain/platform/jobs/job.ts';
import { requestSorting } from '#shared/domain/platform/text-index/sorting.ts';
import { keys } from '#shared/table/keys.ts';
import { asRead, missing, present, type Table, update, type Write, when } from '#shared/table/table.ts';
import { tryTransact } from '#shared/table/try-transact.ts';
import { clearThread } from './clear.ts';
import { type Discarding, discardOf, isGone, isOver } from './discard.ts';
import { linkOf } from './forest.ts';
import type { IdRow } from './message-ids.ts';
import { messagePages, messagesOf } from './messages.ts';
import { removalOfMail } from './removal.ts';
import { followShares } from './shared-texts.ts';
import type { Message, Thread } from './thread.ts';

/**
 * Purges messages that no mailbox has had for 30 days. What remains decides where other messages belong, and says neither
 * what was written nor by whom; the thread of none but such messages loses what users added (docs/decisions/0075).
 */

const MESSAGES_AT_ONCE = 8;

function traceOf(message: Message): Message {
  const { PK, SK, id, thread_id, account_id, id_hash, ancestors, oldest, sent, left, left_at } = message;
  const { base_subject, from, people } = linkOf(message);
  return {
    ...{ PK, SK, id, thread_id, account_id, id_hash, ancestors, sent, base_subject },
    ...(oldest === undefined ? {} : { oldest }),
    ...(left === undefined ? {} : { left }),
    ...(left_at === undefined ? {} : { left_at }),
    ...{ rfc_id: '', received_in: {}, subject: null, snippet: null, category: null, automatic: false },
    ...{ from: null, to: [], cc: [], bcc: [], attachments: [] },
    trace: { from, people: [...people] },
  };
}

/** Nothing of a message that came back, moved or was purged meanwhile. */
async function purgeMessage(table: Table, message: Message, now: Date): Promise<void> {
  const { account_id, thread_id, id, id_hash } = message;
  const writes: Write[] = [
    update<IdRow>(keys.messageId(account_id, id_hash, id), {
      set: { purged: true },
      remove: ['reply_to'],
      when: { thread_id, mailbox_ids: missing, purged: missing },
    }),
    {
      put: traceOf(message),
      when: when<Message>({
        ...{ PK: present, mailbox_ids: missing, left: asRead(message.left) },
        ...{ found_by: missing, trace: missing },
      }),
    },
    { delete: keys.body(thread_id, id) },
    { delete: keys.messagePlace(id) },
    enqueue(removalOfMail(message, now)),
  ];
  await tryTransact(table, writes);
}

/** False when the time was up. */
async function purgeSome(table: Table, messages: Message[], now: Date, timeIsUp: () => boolean) {
  for (let i = 0; i < messages.length; i += MESSAGES_AT_ONCE) {
    if (timeIsUp()) return false;
    const some = messages.slice(i, i + MESSAGES_AT_ONCE);
    await mapAtOnce(some, MESSAGES_AT_ONCE, (message) => purgeMessage(table, message, now));
  }
  return true;
}

/** Their words leave the indexes that had them: that was noted when they left, but in those of shares perhaps not. */
async function forgetWords(ctx: Context, thread_id: string, messages: Message[]): Promise<void> {
  const thread = await ctx.table.get<Thread>(keys.record('threads', thread_id));
  if (thread) await followShares(ctx.table, thread, messages);
  const mailboxes = new Set(messages.flatMap(({ left = {} }) => Object.keys(left)));
  await mapAtOnce([...mailboxes], MESSAGES_AT_ONCE, (id) => requestSorting(ctx, id));
}

/** False when the time was up. */
async function purgeDue(
  ctx: Context,
  thread_id: string,
  now: Date,
  timeIsUp: () => boolean,
): Promise<boolean> {
  for await (const page of messagePages(ctx.table, thread_id)) {
    const due = page.filter((message) => isGone(message) && isOver(message, now));
    if (due.length === 0) continue;
    await forgetWords(ctx, thread_id, due);
    if (!(await purgeSome(ctx.table, due, now, timeIsUp))) return false;
  }
  return true;
}

/** Purges what is due in a thread; false for any other job of the queue. Idempotent. */
export async function discardMessages(
  ctx: Context<KnowsDependents>,
  job: Job,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const { table } = ctx;
  if (!('discarded_in' in job.body)) return false;
  const { discarded_in: thread_id } = job.body as Discarding;
  const now = ctx.clock();
  if (!(await purgeDue(ctx, thread_id, now, timeIsUp)) || !(await clearThread(ctx, thread_id, timeIsUp))) {
    await dispatchAgain(ctx, job.id);
    return true;
  }
  const left = await messagesOf(table, thread_id);
  await table.transact([complete(job.id), ...discardOf(thread_id, left, now)]);
  return true;
}
