import type { ArchiveEntry } from '#shared/domain/mail/archives/archive.ts';
import { type Met, metIn, type OwnAddresses } from '#shared/domain/mail/correspondents/met.ts';
import type { ContactCreation, Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { ancestryOf, digestOfBytes, hashOfId } from '#shared/domain/mail/mime/identity.ts';
import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { type Links, MailError, parseLinks, parseMessage } from '#shared/domain/mail/mime/parse.ts';
import type { Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import { type Ingested, ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { readRows, sourceOfBytes } from '#shared/domain/mail/threads/message-ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { ItemTooLarge } from '#shared/table/table.ts';
import type { Turns } from '#shared/turns.ts';
import { type FinishedDeliveries, sourceOf } from './finished.ts';
import type { MailImport } from './import.ts';

/** Imports one message of an archive into its thread. */

export interface Target {
  ingestion: Ingestion;
  mailbox: Mailbox;
  creation: ContactCreation;
  addresses: OwnAddresses;
  turns: Turns;
  finished: FinishedDeliveries;
}

export type Outcome =
  /** `begun`: it may be stored, without all that follows. */
  | { failed: { reason: string; message: string }; begun?: boolean }
  | (Ingested & { met: Met[] })
  /** The same bytes were imported before, with everything that follows. */
  | { outcome: 'skipped'; thread_id: null };

/** An entry that is a message. */
type MessageEntry = Extract<ArchiveEntry, { raw: Uint8Array }>;

/** A message that the parser fails on is one counted failure and never ends the import. */
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
  entry: MessageEntry,
): Promise<ParsedMessage | (Links & { rfc_id: string }) | MailError> {
  const links = await readable(parseLinks(entry.raw));
  if (links instanceof MailError) return links;
  const { rfc_id } = links;
  return rfc_id === undefined ? wholeOf(entry) : { ...links, rfc_id };
}

const wholeOf = ({ raw, envelope_date }: MessageEntry) => readable(parseMessage(raw, { envelope_date }));

const failedBy = ({ reason, message }: MailError): Outcome => ({ failed: { reason, message } });

export async function importEntry(
  { ingestion, mailbox, creation, addresses, turns, finished }: Target,
  { id, account_id }: Pick<MailImport, 'id' | 'account_id'>,
  entry: ArchiveEntry,
): Promise<Outcome> {
  if ('failure' in entry) return { failed: entry.failure };
  const { raw } = entry;
  const beginning = await beginningOf(entry);
  if (beginning instanceof MailError) return failedBy(beginning);
  const digest = digestOfBytes(raw, entry.envelope_date);
  const work = async (): Promise<Outcome> => {
    const rows = await readRows(ingestion.table, account_id, hashOfId(beginning.rfc_id));
    if (await finished.has(sourceOfBytes(rows, mailbox.id, digest)))
      return { outcome: 'skipped', thread_id: null };
    const message = 'body' in beginning ? beginning : await wholeOf(entry);
    if (message instanceof MailError) return failedBy(message);
    const delivery = { account_id, mailbox, message, raw, source: sourceOf(id, entry.ordinal), digest };
    const met = creation === 'none' ? [] : metIn(message, addresses);
    return { ...(await ingestMessage(ingestion, delivery, rows)), met };
  };
  try {
    return await turns.take([beginning.rfc_id, ...ancestryOf(beginning).nearest], work);
  } catch (error) {
    if (error instanceof ItemTooLarge)
      return { failed: { reason: 'too_complex', message: 'The message is too complex.' }, begun: true };
    throw error;
  }
}
