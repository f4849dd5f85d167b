import { mapAtOnce } from '#shared/at-once.ts';
import { followFiles } from '#shared/domain/mail/attachments/files.ts';
import { messageLeaves } from '#shared/domain/mail/texts/writes.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  asRead,
  at,
  ConditionFailed,
  mustExist,
  type Table,
  update,
  type Write,
} from '#shared/table/table.ts';
import { discardWrite } from './discard.ts';
import type { Regrouping } from './merge.ts';
import { NOTES } from './message.ts';
import { type IdRow, isBytesOf, readMessages } from './message-ids.ts';
import { narrow } from './move.ts';
import { refreshThreads } from './refresh.ts';
import { threadsBehind } from './situation.ts';
import type { Message, Thread } from './thread.ts';

/**
 * Takes messages out of a mailbox, as when they are deleted at its server. A message that left all mailboxes is seen by
 * nobody. It stays where it is, so that the threads of an account follow from what was sent, whatever was deleted since,
 * and for 30 days it is whole again when it is delivered again (docs/decisions/0075).
 */

/** A message, by its id and the hash of its Message-ID. */
export type MessageName = Pick<Message, 'id' | 'id_hash'>;

type Place = { account_id: string; id: string };

/** Messages of one transaction: four items each, the thread, and when to look at it again. */
const MESSAGES_AT_ONCE = 24;
const THREADS_AT_ONCE = 8;
/** Threads whose lists follow together, as after an import. */
const REFRESHED_AT_ONCE = 50;

function leaving({ id: mailbox }: Place, row: IdRow, message: Message, now: Date): Write[] {
  const here = new Set([mailbox]);
  const bytes = [...(row.bytes ?? [])].filter((each) => isBytesOf(mailbox, each));
  const moment = message.received_in[mailbox] ?? message.sent;
  return [
    update<IdRow>(keyOf(row), {
      add: { left: here },
      take: { mailbox_ids: here, bytes: bytes.length > 0 ? new Set(bytes) : undefined },
      remove: [['deliveries', mailbox]],
      when: { thread_id: row.thread_id, deliveries: at(mailbox, row.deliveries[mailbox] as string) },
    }),
    update<Message>(keyOf(message), {
      set: { left: { ...message.left, [mailbox]: moment }, left_at: now.getTime() },
      take: { mailbox_ids: here, ...Object.fromEntries(NOTES.map((name) => [name, here])) },
      remove: [['received_in', mailbox]],
      when: { PK: message.PK, left: asRead(message.left) },
    }),
    ...messageLeaves(mailbox, message),
  ];
}

/** What is said of the thread may be said of these messages. */
const withoutSummaries = (thread_id: string): Write =>
  update<Thread>(keys.record('threads', thread_id), {
    add: { version: 1 },
    remove: ['summaries'],
    when: mustExist,
  });

/** Messages of one thread. Throws ConditionFailed when they changed, or moved, meanwhile. */
async function leaveThread(table: Table, mailbox: Place, rows: IdRow[], now: Date): Promise<void> {
  const messages = new Map((await readMessages(table, rows)).map((message) => [message.id, message]));
  for (let i = 0; i < rows.length; i += MESSAGES_AT_ONCE) {
    const some = rows.slice(i, i + MESSAGES_AT_ONCE);
    const writes = some.flatMap((row) => {
      const message = messages.get(row.message_id);
      if (!message) throw new ConditionFailed(undefined);
      return leaving(mailbox, row, message, now);
    });
    const { thread_id } = some[0] as IdRow;
    const discard = discardWrite(thread_id, now.getTime(), now);
    await table.transact([...writes, withoutSummaries(thread_id), discard]);
  }
}

/** The ids of their threads. */
async function leave(table: Table, mailbox: Place, messages: MessageName[], now: Date): Promise<Set<string>> {
  const threads = new Set<string>();
  await retryOnConflict(async () => {
    const rows = await table.getMany<IdRow>(
      messages.map(({ id, id_hash }) => keys.messageId(mailbox.account_id, id_hash, id)),
    );
    for (const { thread_id } of rows) threads.add(thread_id);
    const held = rows.filter(({ deliveries }) => Object.hasOwn(deliveries, mailbox.id));
    const byThread = Map.groupBy(held, ({ thread_id }) => thread_id);
    await mapAtOnce([...byThread.values()], THREADS_AT_ONCE, (each) =>
      leaveThread(table, mailbox, each, now),
    );
  });
  return threads;
}

/** Idempotent: running it again finishes interrupted work. */
export async function withdraw(
  { table, members, now, ports: { records } }: Regrouping,
  mailbox: Place,
  messages: MessageName[],
): Promise<void> {
  const left = await leave(table, mailbox, messages, now());
  const threads = (await threadsBehind(table, mailbox.account_id, left)).map(({ id }) => id);
  const also = members.users.filter((user) => Object.hasOwn(user.mailboxes, mailbox.id));
  // As long as a thread has its mailboxes, a refresh finds those who do not see it any more.
  for (let i = 0; i < threads.length; i += REFRESHED_AT_ONCE)
    await refreshThreads(table, threads.slice(i, i + REFRESHED_AT_ONCE), members, { also });
  await mapAtOnce(threads, THREADS_AT_ONCE, (id) => narrow(table, id, members));
  await followFiles({ table, now: now(), records }, threads);
}
