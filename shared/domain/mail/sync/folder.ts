import type { FolderRole } from '#shared/domain/mail/servers/server.ts';
import type { Item } from '#shared/table/table.ts';

/** A folder of a mailbox, as far as it was read. Its id follows from the mailbox and its path, or the id at its server. */
export type MailFolder = Item & {
  id: string;
  account_id: string;
  mailbox_id: string;
  path: string;
  role: FolderRole | null;
  server_id: string | null;
  uidvalidity: string;
  /** All UIDs from here on are new. */
  uidnext: number;
  /** Of older mail, which is read from the newest on: all UIDs below are still to be read; 1 when none are. */
  unread_below: number;
  /** Up to which changes of flags were taken over; null where the server counts none. */
  modseq: string | null;
  /** Of the last run that counted: as in `sync_report`. */
  messages_at_provider: number;
  messages_imported: number;
  messages_skipped: number;
  messages_failed: number;
  /** When its UIDs were last compared with the copies here; missing when that is due. */
  compared_at?: string;
  /** Messages that this comparison found missing here, and read. */
  differences?: number;
  /** Runs in a row that began to read it and stored nothing. */
  tries?: number;
  /** So many messages are still read one by one. */
  careful?: number;
  /** The message that is read alone, and how often that was begun. */
  suspect?: { uid: number; notes: number };
};
