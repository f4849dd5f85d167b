import { newId } from '../../ids.ts';
import { keys } from '../../table/keys.ts';
import { absent, ConditionFailed, type Table, type Write } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import { baseSubject } from '../mail/threading.ts';
import type { Delivery, Ingestion } from './delivery.ts';
import { addressesOf } from './entry.ts';
import { mergeThreads } from './merge.ts';
import { storeMessage } from './message.ts';
import { type KnownId, type Placement, placeMessage } from './placement.ts';
import type { Message, Thread } from './thread.ts';

/** Puts one message of one mailbox into its thread. Running it again changes nothing. */

export interface Ingested {
  /** `skipped`: the mailbox had the message already, from another delivery. */
  outcome: 'imported' | 'skipped';
  thread_id: string;
}

export async function ingestMessage(ingestion: Ingestion, delivery: Delivery): Promise<Ingested> {
  try {
    return await untilUnchanged(() => tryIngest(ingestion, delivery));
  } catch (error) {
    if (error instanceof ConditionFailed) throw new Error('A conversation kept changing', { cause: error });
    throw error;
  }
}

async function tryIngest(ingestion: Ingestion, delivery: Delivery): Promise<Ingested> {
  const { table, members } = ingestion;
  const { message, account_id, mailbox } = delivery;
  const participants = addressesOf(message).map((address) => address.email_address);
  const placement = await placeMessage(table, account_id, message, participants, ingestion.own_addresses);
  const into = placement.threads[0];
  const joining = [...placement.unfinished, ...placement.threads.slice(1)];
  if (into && joining.length > 0) {
    for (const thread of joining) await mergeThreads(table, thread, thread.merged_into ?? into.id, members);
    return tryIngest(ingestion, delivery);
  }
  const { own } = placement;
  if (own?.message_id !== undefined) {
    const thread_id = await threadOf(table, own.thread_id);
    const source = own.deliveries?.[mailbox.id];
    if (source !== undefined)
      return { outcome: source === delivery.source ? 'imported' : 'skipped', thread_id };
    await deliverAgain(table, delivery, thread_id, own.message_id);
    return { outcome: 'imported', thread_id };
  }
  const thread_id = into?.id ?? newId(ingestion.now());
  const stored = await storeMessage(ingestion, delivery, thread_id);
  await table.transact([
    ownIdWrite(delivery, thread_id, stored.message.id, own),
    ...placement.unknown.map(
      (id): Write => ({
        put: { ...keys.messageId(account_id, id), thread_id },
        when: absent,
      }),
    ),
    threadWrite(delivery, thread_id, into, participants),
    { put: stored.message },
    { put: stored.body },
  ]);
  return { outcome: 'imported', thread_id };
}

/** Follows merges from the thread that an id was first put into. */
async function threadOf(table: Table, id: string): Promise<string> {
  const thread = await table.get<Thread>(keys.record('threads', id));
  return thread?.merged_into ? threadOf(table, thread.merged_into) : id;
}

function ownIdWrite(
  delivery: Delivery,
  thread_id: string,
  message_id: string,
  own: KnownId | undefined,
): Write {
  const values = {
    ':thread': thread_id,
    ':message': message_id,
    ':deliveries': { [delivery.mailbox.id]: delivery.source },
  };
  return {
    key: keys.messageId(delivery.account_id, delivery.message.rfc_id),
    update: {
      update: 'SET thread_id = :thread, message_id = :message, deliveries = :deliveries',
      condition: own
        ? 'attribute_not_exists(message_id) AND thread_id = :announced'
        : 'attribute_not_exists(PK)',
      values: own ? { ...values, ':announced': own.thread_id } : values,
    },
  };
}

function threadWrite(
  delivery: Delivery,
  id: string,
  into: Placement['threads'][number] | undefined,
  participants: string[],
): Write {
  const { account_id, mailbox, message } = delivery;
  const addresses = new Set(participants);
  const added = ['version :one', 'mailbox_ids :mailboxes', 'owner_ids :owners'];
  if (addresses.size > 0) added.push('addresses :addresses');
  return {
    key: keys.record('threads', id),
    update: {
      update: `SET id = :id, account_id = :account, base_subject = if_not_exists(base_subject, :subject) ADD ${added.join(', ')}`,
      condition: into
        ? 'attribute_exists(PK) AND attribute_not_exists(merged_into)'
        : 'attribute_not_exists(PK)',
      values: {
        ':id': id,
        ':account': account_id,
        ':subject': baseSubject(message.subject),
        ':one': 1,
        ':mailboxes': new Set([mailbox.id]),
        ':owners': new Set([mailbox.user_id]),
        ...(addresses.size > 0 ? { ':addresses': addresses } : {}),
      },
    },
  };
}

/** The message is known from another mailbox: it is one message that reached both. */
async function deliverAgain(
  table: Table,
  delivery: Delivery,
  thread_id: string,
  message_id: string,
): Promise<void> {
  const { account_id, mailbox, message, source } = delivery;
  const stored = (await table.all<Message>(keys.record('threads', thread_id).PK, 'MESSAGE#')).find(
    (each) => each.id === message_id,
  );
  // Its thread is being merged right now: look again.
  if (!stored) throw new ConditionFailed(undefined);
  await table.transact([
    {
      key: keys.messageId(account_id, message.rfc_id),
      update: {
        update: 'SET deliveries.#mailbox = :source',
        condition: 'attribute_not_exists(deliveries.#mailbox)',
        names: { '#mailbox': mailbox.id },
        values: { ':source': source },
      },
    },
    {
      key: { PK: stored.PK, SK: stored.SK },
      update: {
        update: 'ADD mailbox_ids :mailboxes',
        condition: 'attribute_exists(PK)',
        values: { ':mailboxes': new Set([mailbox.id]) },
      },
    },
    {
      key: keys.record('threads', thread_id),
      update: {
        update: 'ADD version :one, mailbox_ids :mailboxes, owner_ids :owners',
        condition: 'attribute_exists(PK) AND attribute_not_exists(merged_into)',
        values: {
          ':one': 1,
          ':mailboxes': new Set([mailbox.id]),
          ':owners': new Set([mailbox.user_id]),
        },
      },
    },
  ]);
}
