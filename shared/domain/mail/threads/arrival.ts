import { digestOf } from '#shared/domain/mail/mime/identity.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { type Delivery, hashedAddresses, type Ingestion } from './delivery.ts';
import { type Addresses, type Link, linkOf } from './forest.ts';
import { messageOf } from './message.ts';
import { copiesOf, firstOf, type KnownId, referrerWrite } from './message-ids.ts';
import { type Placement, placeMessage } from './placement.ts';
import type { Message } from './thread.ts';

/** A delivery, with what it tells about its place. */
export interface Arrival {
  ingestion: Ingestion;
  delivery: Delivery;
  /** As if it had reached this mailbox only. */
  message: Message;
  link: Link;
  addresses: Addresses;
}

export function arrivalOf(ingestion: Ingestion, delivery: Delivery): Arrival {
  const id = idFrom('message', delivery.account_id, delivery.message.rfc_id, digestOf(delivery.message));
  const message = messageOf(delivery, id, ingestion.now());
  return {
    ingestion,
    delivery,
    message,
    link: linkOf(message),
    addresses: hashedAddresses(ingestion.members),
  };
}

/** The same under another id: what is stored of a purged message is being removed, and is used no more. */
export function asAnother(arrival: Arrival): Arrival {
  const id = idFrom('message again', arrival.message.id);
  const message = { ...arrival.message, ...keys.message('', arrival.message.sent, id), id };
  return { ...arrival, message, link: linkOf(message) };
}

/** Where it belongs in the current state; `known` is everything known of its own id. */
export function place(
  { ingestion, delivery, message, link, addresses }: Arrival,
  known: KnownId,
): Promise<Placement> {
  const copies = firstOf(
    known.messages.filter((row) => row.copies === copiesOf(message)),
    delivery.mailbox.id,
  );
  return placeMessage(ingestion.table, delivery.account_id, link, delivery.mailbox.id, addresses, copies);
}

/** Rows for the ids that the message looked for, and where messages meet that look for the same. */
export function lookedFor({ delivery, message }: Arrival, { looked_for }: Placement): Write[] {
  return looked_for.map((hash) => referrerWrite(delivery.account_id, hash, message));
}
