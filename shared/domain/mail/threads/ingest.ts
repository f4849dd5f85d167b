import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { wordsOfMessage } from '#shared/domain/mail/texts/words.ts';
import { messageArrives, messageReturns } from '#shared/domain/mail/texts/writes.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  asRead,
  at,
  type Item,
  missing,
  mustExist,
  mustNotExist,
  unlessThere,
  update,
  type Write,
} from '#shared/table/table.ts';
import { type Arrival, arrivalOf, asAnother, lookedFor, place } from './arrival.ts';
import type { Delivery, Ingestion } from './delivery.ts';
import { homeOf, meeting } from './home.ts';
import { notesOf, storeMessage } from './message.ts';
import { bytesOf, copiesOf, type IdRow, type KnownId, readId } from './message-ids.ts';
import { placeWrite } from './message-place.ts';
import type { Placement } from './placement.ts';
import { settle } from './settle.ts';
import type { Message, Thread } from './thread.ts';

/**
 * Puts one message of one mailbox into its thread, and moves the messages that waited for it there. It is idempotent:
 * running it again finishes interrupted work.
 */

/** Who wrote to whom, and when. */
export type Heard = Pick<Message, 'sent' | 'from' | 'to' | 'cc'>;

export interface Ingested {
  /** `skipped`: the mailbox already has the message, from another delivery. */
  outcome: 'imported' | 'skipped';
  /** The mailbox had the message before, from this delivery or another one: its marks count no more. */
  known: boolean;
  thread_id: string;
  message_id: string;
  /** Of the message as it is stored. */
  heard: Heard;
}

/** `rows`: those of the message's id, if they were just read. */
export async function ingestMessage(
  ingestion: Ingestion,
  delivery: Delivery,
  rows?: Item[],
): Promise<Ingested> {
  const first = arrivalOf(ingestion, delivery);
  let read = rows;
  const { arrival, outcome, known, certain, sent } = await retryOnConflict(() => {
    const fresh = read;
    // After a conflict they are old.
    read = undefined;
    return deliver(first, fresh);
  });
  const { id: message_id, from, to, cc } = arrival.message;
  const heard = { sent, from, to, cc };
  return { outcome, known, thread_id: await settle(arrival, certain), message_id, heard };
}

interface Delivered {
  /** As it was stored: after a purge, as another message. */
  arrival: Arrival;
  outcome: Ingested['outcome'];
  known: boolean;
  /** No message that arrives meanwhile can be a nearer ancestor than the parent. */
  certain: boolean;
  /** Of a message without a date: when it came first. */
  sent: number;
}

async function deliver(arrival: Arrival, rows: Item[] | undefined): Promise<Delivered> {
  const { ingestion, delivery, message } = arrival;
  const { table } = ingestion;
  const known = await readId(table, delivery.account_id, message, rows);
  const own = known.messages.find(({ message_id }) => message_id === message.id);
  if (own?.purged) return deliver(asAnother(arrival), rows);
  const sent = own?.sent ?? message.sent;
  const source = own?.deliveries[delivery.mailbox.id];
  if (source !== undefined)
    return {
      ...{ arrival, known: true, certain: false, sent },
      outcome: source === delivery.source ? 'imported' : 'skipped',
    };
  const placement = await place(arrival, known);
  if (own) await deliverAgain(arrival, own, placement);
  else await deliverNew(arrival, known, placement);
  return {
    ...{ arrival, known: false, sent },
    outcome: 'imported',
    certain: placement.certain && !own?.left,
  };
}

async function deliverNew(arrival: Arrival, known: KnownId, placement: Placement): Promise<void> {
  const { ingestion, delivery, message } = arrival;
  const { account_id, mailbox, source } = delivery;
  const { thread_id, isNew, writes } = await homeOf(arrival, known, placement);
  const stored = await storeMessage(ingestion, delivery, { ...message, thread_id });
  const row: IdRow = {
    ...keys.messageId(account_id, message.id_hash, message.id),
    message_id: message.id,
    thread_id,
    sent: message.sent,
    mailbox_ids: new Set([mailbox.id]),
    deliveries: { [mailbox.id]: source },
    received_in: message.received_in,
    reply_to: { [mailbox.id]: answersTo(delivery) },
    ...noted(delivery),
    copies: copiesOf(message),
  };
  await ingestion.table.transact([
    { put: row, when: mustNotExist },
    threadWrite(delivery, thread_id, isNew),
    ...writes,
    ...lookedFor(arrival, placement),
    { put: stored.message },
    { put: stored.body },
    placeWrite(message),
    messageArrives(mailbox.id, message, wordsOfMessage(delivery.message)),
    ...(delivery.noting?.(message) ?? []),
  ]);
}

/**
 * Bytes of the addresses for answers that are kept for each mailbox, of which a message may reach hundreds: the longest
 * address fits (RFC 5321, 4.5.3.1.3).
 */
const ANSWERS_BYTES = 256;

function answersTo({ message }: Delivery): string[] {
  let left = ANSWERS_BYTES;
  return message.reply_to.flatMap(({ email_address }) => {
    left -= Buffer.byteLength(email_address);
    return left < 0 ? [] : [email_address];
  });
}

const noted = ({ mailbox, digest }: Delivery) =>
  digest === undefined ? {} : { bytes: new Set([bytesOf(mailbox.id, digest)]) };

function threadWrite({ account_id, mailbox }: Delivery, id: string, isNew: boolean): Write {
  return update<Thread>(keys.record('threads', id), {
    set: { id, account_id, shares: unlessThere({}) },
    add: { version: 1, mailbox_ids: new Set([mailbox.id]), owner_ids: new Set([mailbox.user_id]) },
    when: isNew ? mustNotExist : isLive,
  });
}

/** The same message is stored already: another mailbox has it, or it left this one and comes back. */
async function deliverAgain(arrival: Arrival, own: IdRow, placement: Placement): Promise<void> {
  const { ingestion, delivery, message } = arrival;
  const { account_id, mailbox, source } = delivery;
  const { attachment } = placement;
  const here = new Set([mailbox.id]);
  const returns = own.left?.has(mailbox.id) === true;
  const met =
    attachment && 'awaits' in attachment
      ? await meeting(arrival, attachment.awaits, own.thread_id)
      : undefined;
  await ingestion.table.transact([
    update<IdRow>(keys.messageId(account_id, message.id_hash, message.id), {
      set: {
        deliveries: at(mailbox.id, source),
        received_in: own.received_in && at(mailbox.id, message.received_in[mailbox.id] as number),
        reply_to: own.reply_to ? at(mailbox.id, answersTo(delivery)) : undefined,
      },
      add: { mailbox_ids: here, ...noted(delivery) },
      take: { left: returns ? here : undefined },
      when: {
        deliveries: at(mailbox.id, missing),
        thread_id: own.thread_id,
        left: asRead(own.left),
        purged: missing,
      },
    }),
    update<Message>(keys.message(own.thread_id, own.sent, message.id), {
      set: { received_in: at(mailbox.id, message.received_in[mailbox.id] as number) },
      add: {
        mailbox_ids: here,
        ...Object.fromEntries(notesOf(delivery.message).map((name) => [name, here])),
      },
      remove: returns ? [['left', mailbox.id]] : [],
      when: mustExist,
    }),
    threadWrite(delivery, own.thread_id, false),
    // If others already meet elsewhere, `settle` compares both threads.
    ...(met?.thread_id === own.thread_id ? met.writes : []),
    ...lookedFor(arrival, placement),
    ...messageReturns(mailbox.id, { ...message, sent: own.sent }, wordsOfMessage(delivery.message)),
    ...(delivery.noting?.(message) ?? []),
  ]);
}
