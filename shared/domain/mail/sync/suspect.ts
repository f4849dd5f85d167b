import { MOST_MESSAGES } from '#shared/domain/mail/arriving/batch.ts';
import { isOutage } from '#shared/table/failures.ts';
import { keyOf } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { MailFolder } from './folder.ts';

/**
 * A message that stops the reading of its folder each time, even by ending the process, must not block the mail after it
 * (as in imports/suspect.ts). A folder that was begun some times without progress is read message by message, and each is
 * noted before: one that was noted twice and never stored is a failure, and tried again another day.
 */

/** Runs without progress after which messages are read one by one: every deployment interrupts one run. */
const TRIES = 2;
/** Notes of one message. */
const NOTES = 2;

/** Counts one more run that is to read the folder. */
export async function beginFolder(table: Table, folder: MailFolder): Promise<MailFolder> {
  const tries = (folder.tries ?? 0) + 1;
  const careful = tries > TRIES ? MOST_MESSAGES : (folder.careful ?? 0);
  const set = { tries, careful };
  // What the run before this one began may be gone by now.
  const remove = tries > 1 ? (['compared_at'] as const) : [];
  return table.update<MailFolder>(keyOf(folder), { set, remove, when: { uidvalidity: folder.uidvalidity } });
}

/** The server or the table was away: no message is at fault. */
export async function forgiveFolder(table: Table, folder: MailFolder, error: unknown): Promise<void> {
  if (!isOutage(error)) return;
  await table.update<MailFolder>(
    keyOf(folder),
    {
      set: { tries: Math.max(0, (folder.tries ?? 1) - 1) },
      remove: ['suspect'],
      when: { uidvalidity: folder.uidvalidity },
    },
    'NONE',
  );
}

const notesOf = ({ suspect }: MailFolder, uid: number) => (suspect?.uid === uid ? suspect.notes : 0);

export const isPoison = (folder: MailFolder, uid: number): boolean => notesOf(folder, uid) >= NOTES;

export async function note(table: Table, folder: MailFolder, uid: number): Promise<void> {
  const suspect = { uid, notes: notesOf(folder, uid) + 1 };
  await table.update<MailFolder>(
    keyOf(folder),
    { set: { suspect }, when: { uidvalidity: folder.uidvalidity } },
    'NONE',
  );
}
