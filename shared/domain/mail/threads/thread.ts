import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import type { Category, MailAddress, ParsedAttachment } from '#shared/domain/mail/mime/message.ts';
import type { Item } from '#shared/table/table.ts';

/** Threads as stored. What all users share is on the thread; what one user sees and keeps is on that user's entry. */

export type Thread = Item & {
  id: string;
  account_id: string;
  /** Grows with every message, so that an entry made from older messages never replaces a newer one. */
  version: number;
  mailbox_ids: Set<string>;
  /** Owners of those mailboxes. */
  owner_ids: Set<string>;
  tag_ids?: Set<string>;
  /** By id: who it is shared with, and which mailboxes' messages that opens. */
  shares?: Record<string, ThreadShare>;
  /** By `summaryKey`, which says for whom each is. */
  summaries?: Record<string, ThreadSummary>;
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
  /** The hash of `rfc_id`, and those of its ancestors' ids, nearest first, and of the oldest one's. */
  id_hash: string;
  ancestors: string[];
  oldest?: string;
  subject: string | null;
  base_subject: string;
  /** Milliseconds; the time of import when the mail has no date. */
  sent: number;
  /** When each mailbox received it, in milliseconds and never after it came here. */
  received_in: Record<string, number>;
  from: MailAddress | null;
  to: MailAddress[];
  cc: MailAddress[];
  bcc: MailAddress[];
  /** Recipients beyond those that fit. */
  recipients_omitted?: number;
  automatic: boolean;
  category: Category | null;
  snippet: string | null;
  attachments: StoredAttachment[];
  /** The mailboxes it reached. */
  mailbox_ids: Set<string>;
  /** Those whose owner had read it, and marked it with a star, before it came here. */
  read_in?: Set<string>;
  starred_in?: Set<string>;
};

/** An attachment without its bytes, which are in the bucket as a file. */
export type StoredAttachment = Omit<ParsedAttachment, 'content'> & { id: string; file_id: string };

/** What an agent made of the messages of some mailboxes. */
export interface ThreadSummary {
  headline: string;
  summary: string;
  /** Of the thread when it was summarized. */
  version: number;
}

/** A share of a thread. */
export type ThreadShare = StoredShare & {
  /** Mailboxes of which the sharer could give messages away: theirs are what the share opens, later ones included. */
  mailbox_ids: string[];
};

/** What the messages that a user may read determine of a thread. */
export type EntryValues = {
  thread_id: string;
  account_id: string;
  user_id: string;
  /** Place in lists that are ordered by the latest message: its time, then the thread's id. */
  rank: string;
  /** Place in the inbox; absent while nobody else sent a message. */
  inbox_rank?: string;
  version: number;
  subject: string | null;
  snippet: string | null;
  message_count: number;
  /** Messages that somebody else sent and that were not read elsewhere: when this grows, the thread is unread again. */
  received_count: number;
  /** Messages that came with a star: when this grows, the thread is flagged. */
  starred_count?: number;
  has_attachments: boolean;
  /** Of the latest received message that has one. */
  category: Category | null;
  /** True while no message was sent from one of the user's own addresses. */
  unreplied: boolean;
  /** The mailboxes whose messages it was made from, those that only a share opens included. */
  mailbox_ids: string[];
  /** How it is shared with the user. */
  shared_with: ('direct' | 'group')[];
  /** There when some of its messages are seen through a share only, so that the share decides whether it stands. */
  through_share?: true;
  first_sent_at: string;
  last_sent_at: string;
  inbox_sort_time: string | null;
  /** As many as an entry holds, like the participants. */
  sender_email_addresses: string[];
  participant_names: Record<string, string | null>;
  /** Everyone on its messages. */
  participant_count: number;
};

/** What a user keeps of a thread; each is there only while it applies. */
export type EntryState = {
  unread?: 1;
  flagged?: 1;
  resolved?: true;
  /** As the user sent it. */
  snooze_until?: string;
  /** The same moment in milliseconds. */
  snoozed_until?: number;
};

/** A thread as one user sees it. Every write of it goes by `revision`, which grows by one. */
export type ThreadEntry = Item & EntryValues & EntryState & { revision: number };
