import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { mustExist, type Table, update, type Write } from '#shared/table/table.ts';
import type { MailCopy } from './copy.ts';
import type { MailFolder } from './folder.ts';

/** How far a folder is read, and how many of its messages are here: written together, so they always agree. */

export interface Counts {
  messages_imported: number;
  messages_skipped: number;
  messages_failed: number;
}

export function countsOf(copies: Iterable<MailCopy>): Counts {
  const counts = { messages_imported: 0, messages_skipped: 0, messages_failed: 0 };
  for (const { outcome } of copies) if (outcome !== 'begun') counts[`messages_${outcome}`]++;
  return counts;
}

/** With these copies, or without them. */
export function countsAfter(before: Counts, by: 1 | -1, copies: Iterable<MailCopy>): Counts {
  const { messages_imported, messages_skipped, messages_failed } = countsOf(copies);
  return {
    messages_imported: before.messages_imported + by * messages_imported,
    messages_skipped: before.messages_skipped + by * messages_skipped,
    messages_failed: before.messages_failed + by * messages_failed,
  };
}

/** The mailbox counts the messages of all folders. */
function mailboxWrite(before: MailFolder, after: MailFolder): Write[] {
  const add = {
    messages_imported: after.messages_imported - before.messages_imported,
    messages_failed: after.messages_failed - before.messages_failed,
  };
  if (add.messages_imported === 0 && add.messages_failed === 0) return [];
  return [update<Mailbox>(keys.mailbox(before.account_id, before.mailbox_id), { add, when: mustExist })];
}

type Changes = Partial<Omit<MailFolder, 'PK' | 'SK' | 'tries' | 'careful' | 'suspect'>>;

/** Throws Overtaken when another worker changed the folder since. `read`: so many messages are done. */
export async function saveFolder(
  table: Table,
  before: MailFolder,
  changes: Changes,
  read = 0,
): Promise<MailFolder> {
  const careful = Math.max(0, (before.careful ?? 0) - read);
  const set = { ...changes, ...(read > 0 ? { tries: 0, careful } : {}) };
  const { suspect, ...rest } = before;
  const after: MailFolder = { ...rest, ...set, ...(read === 0 && suspect ? { suspect } : {}) };
  const { uidvalidity, uidnext, unread_below } = before;
  const change = {
    set,
    remove: read > 0 ? (['suspect'] as const) : [],
    when: { uidvalidity, uidnext, unread_below },
  };
  const counts = mailboxWrite(before, after);
  const key = keyOf(before);
  const writing =
    counts.length === 0
      ? table.update<MailFolder>(key, change, 'NONE')
      : table.transact([update<MailFolder>(key, change), ...counts]);
  await unlessOvertaken<unknown>(writing);
  return after;
}

/** A folder that begins anew: what was counted of its earlier UIDs does not count any more. */
export async function putFolder(
  table: Table,
  before: MailFolder | undefined,
  folder: MailFolder,
): Promise<MailFolder> {
  await table.transact([{ put: folder }, ...(before ? mailboxWrite(before, folder) : [])]);
  return folder;
}

export async function removeFolder(table: Table, folder: MailFolder): Promise<void> {
  const nothing = { ...folder, messages_imported: 0, messages_failed: 0 };
  await table.transact([{ delete: keyOf(folder) }, ...mailboxWrite(folder, nothing)]);
}

export const foldersOf = (table: Table, mailbox_id: string): Promise<MailFolder[]> =>
  table.all<MailFolder>(keys.mailFolder(mailbox_id, '').PK, 'FOLDER#');
