import { followDelivery } from '#shared/domain/mail/bounces/follow.ts';
import { type Met, metIn, type OwnAddresses } from '#shared/domain/mail/correspondents/met.ts';
import type { ContactCreation, Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { ancestryOf, digestOfBytes, hashOfId } from '#shared/domain/mail/mime/identity.ts';
import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { type Links, MailError, parseLinks, parseMessage } from '#shared/domain/mail/mime/parse.ts';
import type { Delivery, Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import { type Ingested, ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { deliveryOfBytes, readRows } from '#shared/domain/mail/threads/message-ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { ItemTooLarge } from '#shared/table/table.ts';
import type { Turns } from '#shared/turns.ts';

/** Takes one message of an archive or a mail server into its thread. */

export interface Target {
  ingestion: Ingestion;
  mailbox: Mailbox;
  creation: ContactCreation;
  addresses: OwnAddresses;
  turns: Turns;
  finished: Finished;
}

/** Tells which deliveries are over with all that follows: their threads are in all lists, and who follows mail was told. */
export interface Finished {
  has(source: string): Promise<boolean>;
}

export interface Arriving {
  raw: Uint8Array;
  /** The date of the mbox line above the message, ISO 8601 in UTC; null without one. */
  envelope_date: string | null;
  /** What delivers it: the same source is the same delivery. */
  source: string;
  /** Only the beginning of a message. */
  partial?: boolean;
  /** What is known besides its bytes. */
  known?: Partial<ParsedMessage>;
  noting?: Delivery['noting'];
}

export type Taken =
  /** `begun`: it may be stored, without all that follows. */
  | { failed: { reason: string; message: string }; begun?: boolean }
  | (Ingested & { id_hash: string; met: Met[] })
  /** The same bytes were delivered before, with everything that follows. */
  | { outcome: 'skipped'; known: true; thread_id: null; message_id: string; id_hash: string };

/** A message that the parser fails on is one counted failure and never ends its import. */
async function readable<T>(reading: Promise<T>): Promise<T | MailError> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof MailError) return error;
    getLogger().warn('unreadable message', { error: describeError(error) });
    return new MailError('not_a_message', 'The message cannot be read.');
  }
}

/** The header alone says enough of a message that states its id; other ids are digests of the whole message. */
async function beginningOf(
  arriving: Arriving,
): Promise<ParsedMessage | (Links & { rfc_id: string }) | MailError> {
  const links = await readable(parseLinks(arriving.raw));
  if (links instanceof MailError) return links;
  const { rfc_id } = links;
  return rfc_id === undefined ? wholeOf(arriving) : { ...links, rfc_id };
}

async function wholeOf(arriving: Arriving): Promise<ParsedMessage | MailError> {
  const { raw, envelope_date, partial = false, known } = arriving;
  const message = await readable(parseMessage(raw, { envelope_date, partial }));
  return message instanceof MailError ? message : { ...message, ...known };
}

const failedBy = ({ reason, message }: MailError): Taken => ({ failed: { reason, message } });

export async function takeMessage(
  { ingestion, mailbox, creation, addresses, turns, finished }: Target,
  arriving: Arriving,
): Promise<Taken> {
  const { account_id } = mailbox;
  const { raw, source } = arriving;
  const beginning = await beginningOf(arriving);
  if (beginning instanceof MailError) return failedBy(beginning);
  const digest = digestOfBytes(raw, arriving.envelope_date);
  const work = async (): Promise<Taken> => {
    const id_hash = hashOfId(beginning.rfc_id);
    const rows = await readRows(ingestion.table, account_id, id_hash);
    const before = deliveryOfBytes(rows, mailbox.id, digest);
    if (before && (await finished.has(before.source)))
      return { outcome: 'skipped', known: true, thread_id: null, message_id: before.message_id, id_hash };
    const message = 'body' in beginning ? beginning : await wholeOf(arriving);
    if (message instanceof MailError) return failedBy(message);
    const { noting } = arriving;
    const delivery = { account_id, mailbox, message, raw, source, digest, ...(noting ? { noting } : {}) };
    const met = creation === 'none' ? [] : metIn(message, addresses);
    const ingested = await ingestMessage(ingestion, delivery, rows);
    await followDelivery(ingestion, mailbox, message);
    return { ...ingested, id_hash, met };
  };
  try {
    return await turns.take([beginning.rfc_id, ...ancestryOf(beginning).nearest], work);
  } catch (error) {
    if (error instanceof ItemTooLarge)
      return { failed: { reason: 'too_complex', message: 'The message is too complex.' }, begun: true };
    throw error;
  }
}
