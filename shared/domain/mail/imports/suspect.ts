import type { ArchiveEntry } from '#shared/domain/mail/archives/archive.ts';
import type { Taken } from '#shared/domain/mail/arriving/take.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { isOutage } from '#shared/table/failures.ts';
import { keys } from '#shared/table/keys.ts';
import type { AllOf, Table } from '#shared/table/table.ts';
import { LONGEST_CHUNK } from './chunk.ts';
import type { MailImport } from './import.ts';

/**
 * A message that stops the import whenever it is read, even by ending the process, must not block the mail after it. An
 * import without progress continues message by message, and notes each message before it reads it: a message that was
 * noted twice and never completed is a failure.
 */

/** Runs without progress after which messages are imported one by one: every deployment interrupts one run. */
const TRIES = 2;
/** Notes of one message. */
const NOTES = 2;

const importing: AllOf<MailImport> = { status: 'importing' };

/** Counts one more run of an import that is to move its position. */
export function beginRun(table: Table, { id }: MailImport): Promise<MailImport> {
  return unlessOvertaken(
    table.update<MailImport>(keys.mailImport(id), { add: { tries: 1 }, when: importing }),
  );
}

/** From the place where it stopped on, until all that was read at once then is done. */
export function isCareful({ tries = 0, careful_until = 0, position }: MailImport): boolean {
  return tries > TRIES || position.ordinal < careful_until;
}

/** The position from which it continues in chunks. */
export function carefulUntil({ tries = 0, careful_until = 0, position }: MailImport): number {
  return tries > TRIES ? Math.max(careful_until, position.ordinal + LONGEST_CHUNK) : careful_until;
}

const notes = ({ suspect }: MailImport, ordinal: number) =>
  suspect?.ordinal === ordinal ? suspect.notes : 0;

/** True for a message that was noted too often and never completed. */
export function isPoison(mailImport: MailImport, { ordinal }: ArchiveEntry): boolean {
  return notes(mailImport, ordinal) >= NOTES;
}

export const poisonFailure: Taken = {
  failed: { reason: 'unreadable', message: 'The import stopped at this message every time it was read.' },
  begun: true,
};

export async function note(table: Table, mailImport: MailImport, { ordinal }: ArchiveEntry): Promise<void> {
  await unlessOvertaken(
    table.update<MailImport>(
      keys.mailImport(mailImport.id),
      { set: { suspect: { ordinal, notes: notes(mailImport, ordinal) + 1 } }, when: importing },
      'NONE',
    ),
  );
}

/** Removes the note when the message was not at fault. */
export async function unnote(table: Table, mailImport: MailImport, error: unknown): Promise<void> {
  if (!isOutage(error)) return;
  const before = mailImport.suspect;
  await table.update<MailImport>(
    keys.mailImport(mailImport.id),
    before ? { set: { suspect: before }, when: importing } : { remove: ['suspect'], when: importing },
    'NONE',
  );
}
