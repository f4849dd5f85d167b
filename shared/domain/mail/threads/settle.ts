import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { keys } from '#shared/table/keys.ts';
import { type Arrival, place } from './arrival.ts';
import { type AwaitedRow, type IdRow, type KnownId, readId, rowsOfReferrers } from './message-ids.ts';
import { findThread } from './policy.ts';
import { regroup } from './regroup.ts';
import { mailboxesOf } from './thread.ts';

/** The second look at a message that has just been put into its thread. */

/** No thread has this id: in a set it forces a regrouping. */
const UNSURE = '';

/** The threads of messages that follow this one, or may follow it from now on. */
async function threadsBehind(
  { ingestion, delivery, message }: Arrival,
  { messages, referrers, awaited }: KnownId,
  own: IdRow,
): Promise<Set<string>> {
  const { table } = ingestion;
  const { account_id } = delivery;
  const rows = await rowsOfReferrers(table, account_id, referrers);
  const copies = messages.filter((row) => row.copies === own.copies);
  const threads = new Set([...copies, ...rows].map(({ thread_id }) => thread_id));
  for (const { mailbox_id, thread_id } of awaited)
    if (mailboxesOf(own).has(mailbox_id))
      threads.add((await findThread(table, account_id, thread_id))?.id ?? thread_id);
  const subject = hashOfId(message.base_subject);
  // A reply with another subject may begin its own thread, and different messages with one id do not belong together.
  const rivals = messages.filter((row) => row.thread_id === own.thread_id && row.copies !== own.copies);
  if (rivals.length > 0 || referrers.some((referrer) => referrer.subject !== subject)) threads.add(UNSURE);
  return threads;
}

/** The thread of the message that this one follows in its mailbox. */
async function threadAhead(arrival: Arrival, known: KnownId): Promise<string | undefined> {
  const { ingestion, delivery } = arrival;
  const { table } = ingestion;
  const { account_id, mailbox } = delivery;
  const { attachment } = await place(arrival, known);
  if (!attachment) return undefined;
  if ('parent' in attachment) return attachment.parent.thread_id;
  const row = await table.get<AwaitedRow>(keys.awaited(account_id, attachment.awaits, mailbox.id));
  return row && ((await findThread(table, account_id, row.thread_id))?.id ?? row.thread_id);
}

/**
 * Looks again, because related messages may have arrived at the same moment: the one written last sees the other.
 * Returns the thread of the message. `certain`: no message that arrived meanwhile can be a nearer ancestor.
 */
export async function settle(arrival: Arrival, certain: boolean): Promise<string> {
  const { ingestion, delivery, message } = arrival;
  const { table } = ingestion;
  const { account_id } = delivery;
  const known = await readId(table, account_id, message);
  const own = known.messages.find(({ message_id }) => message_id === message.id) as IdRow;
  const [behind, ahead] = await Promise.all([
    threadsBehind(arrival, known, own),
    certain && mailboxesOf(own).size === 1 ? undefined : threadAhead(arrival, known),
  ]);
  const threads = new Set([own.thread_id, ...behind, ...(ahead ? [ahead] : [])]);
  if (threads.size === 1) return own.thread_id;
  threads.delete(UNSURE);
  await regroup(ingestion, account_id, [...threads]);
  const key = keys.messageId(account_id, message.id_hash, message.id);
  return ((await table.get<IdRow>(key)) as IdRow).thread_id;
}
