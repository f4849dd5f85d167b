import { newId } from '../../ids.ts';
import { type Key, keys } from '../../table/keys.ts';
import { absent, type Table, type Write } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import { baseSubject } from '../mail/threading.ts';
import type { Delivery, Ingestion } from './delivery.ts';
import { addressesOf } from './entry.ts';
import { mergeThreads } from './merge.ts';
import { notesOf, storeMessage } from './message.ts';
import { type KnownId, type Placement, placeMessage } from './placement.ts';
import type { Message } from './thread.ts';
import { findThread } from './visibility.ts';

/** Puts one message of one mailbox into its thread. Running it again changes nothing. */

export interface Ingested {
  /** `skipped`: the mailbox had the message already, from another delivery. */
  outcome: 'imported' | 'skipped';
  thread_id: string;
}

/** Looks again where the message belongs when another one of its conversation was written meanwhile. */
export function ingestMessage(ingestion: Ingestion, delivery: Delivery): Promise<Ingested> {
  return untilUnchanged(() => tryIngest(ingestion, delivery));
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
  if (own?.message_id !== undefined && own.sent !== undefined) {
    const thread_id = (await findThread(table, account_id, own.thread_id))?.id ?? own.thread_id;
    const source = own.deliveries?.[mailbox.id];
    if (source !== undefined)
      return { outcome: source === delivery.source ? 'imported' : 'skipped', thread_id };
    await deliverAgain(table, delivery, keys.message(thread_id, own.sent, own.message_id), thread_id);
    return { outcome: 'imported', thread_id };
  }
  const thread_id = into?.id ?? newId(ingestion.now());
  const stored = await storeMessage(ingestion, delivery, thread_id);
  await table.transact([
    ownIdWrite(delivery, stored.message, own),
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

function ownIdWrite(delivery: Delivery, stored: Message, own: KnownId | undefined): Write {
  const values = {
    ':thread': stored.thread_id,
    ':message': stored.id,
    ':sent': stored.sent,
    ':deliveries': { [delivery.mailbox.id]: delivery.source },
  };
  return {
    key: keys.messageId(delivery.account_id, delivery.message.rfc_id),
    update: {
      update: 'SET thread_id = :thread, message_id = :message, sent = :sent, deliveries = :deliveries',
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
      update: `SET id = :id, account_id = :account, base_subject = if_not_exists(base_subject, :subject), shares = if_not_exists(shares, :none) ADD ${added.join(', ')}`,
      condition: into
        ? 'attribute_exists(PK) AND attribute_not_exists(merged_into)'
        : 'attribute_not_exists(PK)',
      values: {
        ':id': id,
        ':account': account_id,
        ':subject': baseSubject(message.subject),
        ':none': {},
        ':one': 1,
        ':mailboxes': new Set([mailbox.id]),
        ':owners': new Set([mailbox.user_id]),
        ...(addresses.size > 0 ? { ':addresses': addresses } : {}),
      },
    },
  };
}

/** The message is known from another mailbox: it is one message that reached both. */
async function deliverAgain(table: Table, delivery: Delivery, stored: Key, thread_id: string): Promise<void> {
  const { account_id, mailbox, message, source } = delivery;
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
      key: stored,
      update: {
        // It is not there while its thread is being merged: look again.
        update: `ADD ${['mailbox_ids', ...notesOf(message)].map((name) => `${name} :mailboxes`).join(', ')}`,
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
