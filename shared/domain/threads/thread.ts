import type { Item } from '../../table/table.ts';
import type { MailAddress, ParsedAttachment } from '../mail/message.ts';

/** Threads as stored. What all users share is on the thread; what one user sees and keeps is on that user's entry. */

export type Thread = Item & {
  id: string;
  account_id: string;
  base_subject: string;
  /** Grows with every message, so that an entry made from older messages never replaces a newer one. */
  version: number;
  mailbox_ids: Set<string>;
  /** Owners of those mailboxes. */
  owner_ids: Set<string>;
  /** Everyone on any of its messages. */
  addresses: Set<string>;
  tag_ids?: Set<string>;
  /** The thread that took over this one's messages, when both turned out to be one conversation. */
  merged_into?: string;
  /** True while messages are still on their way there. */
  merging?: true;
};

/** A message without its body, which is an item (or an object) of its own. */
export type Message = Item & {
  id: string;
  thread_id: string;
  account_id: string;
  rfc_id: string;
  subject: string | null;
  /** Milliseconds; the time of import when the mail has no date. */
  sent: number;
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  automatic: boolean;
  snippet: string | null;
  attachments: StoredAttachment[];
  /** The mailboxes it reached. */
  mailbox_ids: Set<string>;
};

/** An attachment without its bytes, which are in the bucket as a file. */
export type StoredAttachment = Omit<ParsedAttachment, 'content'> & { id: string; file_id: string };

/** What the messages in mailboxes that a user has access to determine of a thread. */
export interface EntryValues {
  thread_id: string;
  account_id: string;
  user_id: string;
  list: string;
  rank: string;
  /** Absent while nobody else sent a message. */
  inbox_rank?: string;
  version: number;
  subject: string | null;
  snippet: string | null;
  message_count: number;
  /** Messages that somebody else sent: when this grows, the thread is unread again. */
  received_count: number;
  has_attachments: boolean;
  mailbox_ids: string[];
  first_sent_at: string;
  last_sent_at: string;
  inbox_sort_time: string | null;
  participant_names: Record<string, string | null>;
}

/** What a user keeps of a thread; each is there only while it applies. */
export interface EntryState {
  unread?: 1;
  flagged?: 1;
  resolved?: true;
  snooze_until?: string;
}

/** A thread as one user sees it. */
export type ThreadEntry = Item & EntryValues & EntryState;
