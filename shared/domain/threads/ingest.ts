import { idFrom, newId } from '../../ids.ts';
import { keys } from '../../table/keys.ts';
import { absent, ConditionFailed, type Table, type Write } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import { digestOf, hashOfId } from '../mail/identity.ts';
import { addressesOfMembers, type Delivery, type Ingestion } from './delivery.ts';
import { type Link, linkOf } from './forest.ts';
import { messageOf, notesOf, storeMessage } from './message.ts';
import {
  type AwaitedRow,
  awaitedWrite,
  type IdRow,
  type KnownId,
  readId,
  referrerWrite,
  rowsOfReferrers,
} from './message-ids.ts';
import { type Placement, placeMessage } from './placement.ts';
import { regroup } from './regroup.ts';
import type { Message, Thread } from './thread.ts';
import { findThread } from './visibility.ts';

/**
 * Puts one message of one mailbox into its thread, and brings the messages there that waited for it. Running it again
 * changes nothing, and finishes what was cut off.
 */

export interface Ingested {
  /** `skipped`: the mailbox had the message already, from another delivery. */
  outcome: 'imported' | 'skipped';
  thread_id: string;
}

export async function ingestMessage(ingestion: Ingestion, delivery: Delivery): Promise<Ingested> {
  const arrival = arrivalOf(ingestion, delivery);
  const { outcome, certain } = await untilUnchanged(() => deliver(arrival));
  return { outcome, thread_id: await settle(arrival, certain) };
}

/** A delivery with what it says about its place. */
interface Arrival {
  ingestion: Ingestion;
  delivery: Delivery;
  /** As if it reached this mailbox alone. */
  message: Message;
  link: Link;
  addresses: ReturnType<typeof addressesOfMembers>;
}

function arrivalOf(ingestion: Ingestion, delivery: Delivery): Arrival {
  const id = idFrom('message', delivery.account_id, delivery.message.rfc_id, digestOf(delivery.message));
  const message = messageOf(delivery, id, ingestion.now());
  return {
    ingestion,
    delivery,
    message,
    link: linkOf(message),
    addresses: addressesOfMembers(ingestion.members),
  };
}

interface Delivered {
  outcome: Ingested['outcome'];
  /** Nothing that arrived meanwhile can be nearer than what the message was put under. */
  certain: boolean;
}

async function deliver(arrival: Arrival): Promise<Delivered> {
  const { ingestion, delivery, message } = arrival;
  const { table } = ingestion;
  const known = await readId(table, delivery.account_id, message.id_hash);
  const own = known.messages.find(({ message_id }) => message_id === message.id);
  const source = own?.deliveries[delivery.mailbox.id];
  if (source !== undefined)
    return { outcome: source === delivery.source ? 'imported' : 'skipped', certain: false };
  const placement = await place(arrival, known);
  if (own) await deliverAgain(arrival, own, placement);
  else await deliverNew(arrival, known, placement);
  return { outcome: 'imported', certain: placement.certain };
}

const place = ({ ingestion, delivery, link, addresses }: Arrival, known: KnownId): Promise<Placement> =>
  placeMessage(ingestion.table, delivery.account_id, link, delivery.mailbox.id, addresses, known.messages);

/** Rows that say what the message looked for, and where others meet that look for the same. */
function lookedFor({ delivery, message }: Arrival, { looked_for }: Placement): Write[] {
  return looked_for.map((hash) => referrerWrite(delivery.account_id, hash, message));
}

/** Undefined when it is shared: whoever it is shared with shall not read what meets there by chance. */
async function openThread(table: Table, account: string, id: string): Promise<Thread | undefined> {
  const thread = await findThread(table, account, id);
  return thread && Object.keys(thread.shares ?? {}).length === 0 ? thread : undefined;
}

interface Home {
  thread_id: string;
  isNew: boolean;
  writes: Write[];
}

/** The thread of the parent, as long as the parent is there. */
async function withParent(table: Table, account: string, parent: Link): Promise<Home> {
  const thread = await findThread(table, account, parent.thread_id);
  // It is on its way to another thread.
  if (thread?.id !== parent.thread_id) throw new ConditionFailed(undefined);
  const there = { condition: 'thread_id = :there', values: { ':there': thread.id } };
  const check = { check: keys.messageId(account, parent.id_hash, parent.id), when: there };
  return { thread_id: thread.id, isNew: false, writes: [check] };
}

/** Where the messages meet that wait for the same; `otherwise` is where they meet from now on. */
async function meeting(
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
  if (row?.thread_id === thread_id) return { thread_id, isNew, writes: [] };
  return {
    thread_id,
    isNew,
    writes: [awaitedWrite(account_id, awaits, mailbox.id, thread_id, row?.thread_id)],
  };
}

async function homeOf(arrival: Arrival, known: KnownId, { attachment }: Placement): Promise<Home> {
  const { ingestion, delivery, message } = arrival;
  const { account_id, mailbox } = delivery;
  const { table } = ingestion;
  if (attachment && 'parent' in attachment) {
    const { parent } = attachment;
    const isCopy = parent.id_hash === message.id_hash;
    if (!isCopy || (await openThread(table, account_id, parent.thread_id)))
      return withParent(table, account_id, parent);
  }
  // Those that wait for this very message are its thread.
  const waiting = known.awaited.find(({ mailbox_id }) => mailbox_id === mailbox.id);
  const own = waiting && (await openThread(table, account_id, waiting.thread_id));
  if (attachment && 'awaits' in attachment) return meeting(arrival, attachment.awaits, own?.id);
  return { thread_id: own?.id ?? newId(ingestion.now()), isNew: !own, writes: [] };
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
  };
  await ingestion.table.transact([
    { put: row, when: absent },
    threadWrite(delivery, thread_id, isNew),
    ...writes,
    ...lookedFor(arrival, placement),
    { put: stored.message },
    { put: stored.body },
  ]);
}

function threadWrite({ account_id, mailbox }: Delivery, id: string, isNew: boolean): Write {
  return {
    key: keys.record('threads', id),
    update: {
      update:
        'SET id = :id, account_id = :account, shares = if_not_exists(shares, :none) ADD version :one, mailbox_ids :mailboxes, owner_ids :owners',
      condition: isNew
        ? 'attribute_not_exists(PK)'
        : 'attribute_exists(PK) AND attribute_not_exists(merged_into)',
      values: {
        ':id': id,
        ':account': account_id,
        ':none': {},
        ':one': 1,
        ':mailboxes': new Set([mailbox.id]),
        ':owners': new Set([mailbox.user_id]),
      },
    },
  };
}

/** The very message is known from another mailbox: it is one message that reached both. */
async function deliverAgain(arrival: Arrival, own: IdRow, placement: Placement): Promise<void> {
  const { ingestion, delivery, message } = arrival;
  const { account_id, mailbox, source } = delivery;
  const { attachment } = placement;
  const added = ['mailbox_ids', ...notesOf(delivery.message)].map((name) => `${name} :mailboxes`);
  const met =
    attachment && 'awaits' in attachment
      ? await meeting(arrival, attachment.awaits, own.thread_id)
      : undefined;
  await ingestion.table.transact([
    {
      key: keys.messageId(account_id, message.id_hash, message.id),
      update: {
        update: 'SET deliveries.#mailbox = :source ADD mailbox_ids :mailboxes',
        condition: 'attribute_not_exists(deliveries.#mailbox) AND thread_id = :there',
        names: { '#mailbox': mailbox.id },
        values: { ':source': source, ':mailboxes': new Set([mailbox.id]), ':there': own.thread_id },
      },
    },
    {
      key: keys.message(own.thread_id, own.sent, message.id),
      update: {
        update: `SET received_in.#mailbox = :received ADD ${added.join(', ')}`,
        condition: 'attribute_exists(PK)',
        names: { '#mailbox': mailbox.id },
        values: { ':mailboxes': new Set([mailbox.id]), ':received': message.received_in[mailbox.id] },
      },
    },
    threadWrite(delivery, own.thread_id, false),
    // Where others meet already, both threads are looked at afterwards.
    ...(met?.thread_id === own.thread_id ? met.writes : []),
    ...lookedFor(arrival, placement),
  ]);
}

/** The threads of whatever hangs on this message, or may since it is here. */
async function threadsBehind({ ingestion, delivery, message }: Arrival, own: IdRow): Promise<Set<string>> {
  const { table } = ingestion;
  const { account_id } = delivery;
  const { messages, referrers, awaited } = await readId(table, account_id, message.id_hash);
  const rows = await rowsOfReferrers(table, account_id, referrers);
  const threads = new Set([...messages, ...rows].map(({ thread_id }) => thread_id));
  for (const { mailbox_id, thread_id } of awaited)
    if (own.mailbox_ids.has(mailbox_id))
      threads.add((await findThread(table, account_id, thread_id))?.id ?? thread_id);
  const subject = hashOfId(message.base_subject);
  // One that changed the subject may belong to a thread of its own.
  if (referrers.some((referrer) => referrer.subject !== subject)) threads.add(UNSURE);
  return threads;
}

/** Makes any set of threads one that is looked at. */
const UNSURE = '';

/** The thread of what the message hangs on in this mailbox. */
async function threadAhead(arrival: Arrival): Promise<string | undefined> {
  const { ingestion, delivery, message } = arrival;
  const { table } = ingestion;
  const { account_id, mailbox } = delivery;
  const known = await readId(table, account_id, message.id_hash);
  const { attachment } = await place(arrival, known);
  if (!attachment) return undefined;
  if ('parent' in attachment) return attachment.parent.thread_id;
  const row = await table.get<AwaitedRow>(keys.awaited(account_id, attachment.awaits, mailbox.id));
  return row && ((await findThread(table, account_id, row.thread_id))?.id ?? row.thread_id);
}

/**
 * Looks once more, since others may have arrived at the same moment: whoever is written last sees the other one. Gives
 * the thread that the message is in.
 */
async function settle(arrival: Arrival, certain: boolean): Promise<string> {
  const { ingestion, delivery, message } = arrival;
  const { table } = ingestion;
  const { account_id } = delivery;
  const key = keys.messageId(account_id, message.id_hash, message.id);
  const own = (await table.get<IdRow>(key)) as IdRow;
  const [behind, ahead] = await Promise.all([
    threadsBehind(arrival, own),
    certain && own.mailbox_ids.size === 1 ? undefined : threadAhead(arrival),
  ]);
  const threads = new Set([own.thread_id, ...behind, ...(ahead ? [ahead] : [])]);
  if (threads.size === 1) return own.thread_id;
  threads.delete(UNSURE);
  await regroup(ingestion, account_id, [...threads]);
  return ((await table.get<IdRow>(key)) as IdRow).thread_id;
}
