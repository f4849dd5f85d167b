import { newId } from '#shared/ids.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { type Table, type Write, when } from '#shared/table/table.ts';
import type { Arrival } from './arrival.ts';
import type { Link } from './forest.ts';
import { type AwaitedRow, awaitedWrite, type IdRow, type KnownId } from './message-ids.ts';
import type { Placement } from './placement.ts';
import { findThread } from './policy.ts';
import type { Thread } from './thread.ts';

/** The thread that a message is put into, with the conditions that must hold meanwhile. */

/** Undefined for a shared thread: its users must not read messages that only meet there. */
async function openThread(table: Table, account: string, id: string): Promise<Thread | undefined> {
  const thread = await findThread(table, account, id);
  return thread && Object.keys(thread.shares ?? {}).length === 0 ? thread : undefined;
}

export interface Home {
  thread_id: string;
  isNew: boolean;
  writes: Write[];
}

/** The thread of the parent, on condition that the parent is still there: a merged thread takes no message. */
function withParent(account: string, { thread_id, id_hash, id }: Link): Home {
  const there = when<IdRow>({ thread_id });
  return { thread_id, isNew: false, writes: [{ check: keys.messageId(account, id_hash, id), when: there }] };
}

/** The row is deleted when no message waits there any more. */
const stillMeeting = (row: AwaitedRow): Write => ({
  check: keyOf(row),
  when: when<AwaitedRow>({ thread_id: row.thread_id }),
});

/** Where messages meet that wait for the same ancestor; `otherwise` is where they meet from now on. */
export async function meeting(
  { ingestion, delivery }: Arrival,
  awaits: string,
  otherwise: string | undefined,
): Promise<Home> {
  const { table, now } = ingestion;
  const { account_id, mailbox } = delivery;
  const row = await table.get<AwaitedRow>(keys.awaited(account_id, awaits, mailbox.id));
  const found = row && (await findThread(table, account_id, row.thread_id));
  const thread_id = found?.id ?? otherwise ?? newId(now());
  const isNew = !found && otherwise === undefined;
  if (row?.thread_id === thread_id) return { thread_id, isNew, writes: [stillMeeting(row)] };
  return {
    thread_id,
    isNew,
    writes: [awaitedWrite(account_id, awaits, mailbox.id, thread_id, row?.thread_id)],
  };
}

export async function homeOf(arrival: Arrival, known: KnownId, { attachment }: Placement): Promise<Home> {
  const { ingestion, delivery, message } = arrival;
  const { account_id, mailbox } = delivery;
  const { table } = ingestion;
  if (attachment && 'parent' in attachment) {
    const { parent } = attachment;
    const isCopy = parent.id_hash === message.id_hash;
    if (!isCopy || (await openThread(table, account_id, parent.thread_id)))
      return withParent(account_id, parent);
  }
  // Messages that wait for this one are its thread, unless they may follow another message with its id.
  const awaited = known.messages.length === 0 ? known.awaited : [];
  const waiting = awaited.find(({ mailbox_id }) => mailbox_id === mailbox.id);
  const own = waiting && (await openThread(table, account_id, waiting.thread_id));
  const there = own ? [stillMeeting(waiting)] : [];
  if (attachment && 'awaits' in attachment) {
    const home = await meeting(arrival, attachment.awaits, own?.id);
    return home.thread_id === own?.id ? { ...home, writes: [...home.writes, ...there] } : home;
  }
  return { thread_id: own?.id ?? newId(ingestion.now()), isNew: !own, writes: there };
}
