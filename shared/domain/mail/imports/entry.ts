import type { ArchiveEntry } from '#shared/domain/mail/archives/archive.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { ancestryOf } from '#shared/domain/mail/mime/identity.ts';
import type { ParsedMessage } from '#shared/domain/mail/mime/message.ts';
import { MailError, parseMessage } from '#shared/domain/mail/mime/parse.ts';
import type { Ingestion } from '#shared/domain/mail/threads/delivery.ts';
import { type Ingested, ingestMessage } from '#shared/domain/mail/threads/ingest.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { ItemTooLarge } from '#shared/table/table.ts';
import type { MailImport } from './import.ts';
import type { Turns } from './turns.ts';

/** Imports one message of an archive into its thread. */

export interface Target {
  ingestion: Ingestion;
  mailbox: Mailbox;
  turns: Turns;
}

export type Outcome = { failed: { reason: string; message: string } } | Ingested;

/** An entry that is a message. */
type MessageEntry = Extract<ArchiveEntry, { raw: Uint8Array }>;

async function parsed(entry: MessageEntry): Promise<ParsedMessage | MailError> {
  try {
    return await parseMessage(entry.raw, { envelope_date: entry.envelope_date });
  } catch (error) {
    if (error instanceof MailError) return error;
    // A message that the parser fails on is one counted failure and never ends the import.
    getLogger().warn('unreadable message', { error: describeError(error) });
    return new MailError('not_a_message', 'The message cannot be read.');
  }
}

export async function importEntry(
  { ingestion, mailbox, turns }: Target,
  { id, account_id }: Pick<MailImport, 'id' | 'account_id'>,
  entry: ArchiveEntry,
): Promise<Outcome> {
  if ('failure' in entry) return { failed: entry.failure };
  const message = await parsed(entry);
  if (message instanceof MailError) return { failed: { reason: message.reason, message: message.message } };
  const delivery = { account_id, mailbox, message, raw: entry.raw, source: `${id}#${entry.ordinal}` };
  const named = [message.rfc_id, ...ancestryOf(message).nearest];
  try {
    return await turns.take(named, () => ingestMessage(ingestion, delivery));
  } catch (error) {
    if (error instanceof ItemTooLarge)
      return { failed: { reason: 'too_complex', message: 'The message is too complex.' } };
    throw error;
  }
}
