import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import type { Undelivered } from '#shared/domain/mail/bounces/delivery.ts';
import type { Category, MailAddress, ParsedAttachment } from '#shared/domain/mail/mime/message.ts';
import type { Item } from '#shared/table/table.ts';
import type { ShownOfEntry, ShownOfMessage } from './schema.ts';

/** Threads as stored. The thread's item has what all users share; each user's entry has that user's view and state. */

export type Thread = Item & {
  id: string;
  account_id: string;
  /** Grows with every message, so that an entry of older messages never replaces a newer one. */
  version: number;
  /** Missing while no mailbox has a message of it, as DynamoDB has no empty sets. */
  mailbox_ids?: Set<string>;
  /** The owners of those mailboxes. */
  owner_ids?: Set<string>;
  tag_ids?: Set<string>;
  /** Shares by id, with the mailboxes whose messages each one opens. */
  shares?: Record<string, ThreadShare>;
  /** By `summaryKey`, which tells for whom each one is. */
  summaries?: Record<string, ThreadSummary>;
  /** The thread that this one was merged into, when both turned out to be one conversation. */
  merged_into?: string;
  /** True while messages are still moving there. */
  merging?: true;
};

/** A message without its body, which is an item (or an object) of its own. */
export type Message = Item &
  ShownOfMessage & {
    thread_id: string;
    account_id: string;
    rfc_id: string;
    /** The hash of `rfc_id`, and those of its ancestors' ids, nearest first, and of the oldest ancestor's. */
    id_hash: string;
    ancestors: string[];
    oldest?: string;
    subject: string | null;
    base_subject: string;
    /** Milliseconds; the time of import when the mail has no date. */
    sent: number;
    /** When each mailbox received it, in milliseconds, and never later than it was stored here. */
    received_in: Record<string, number>;
    from: MailAddress | null;
    to: MailAddress[];
    cc: MailAddress[];
    bcc: MailAddress[];
    /** The number of recipients that did not fit. */
    recipients_omitted?: number;
    /** Of a message from before each mailbox had its own, as the category. */
    automatic: boolean;
    category: Category | null;
    attachments: StoredAttachment[];
    /** The mailboxes that have it; missing when it left all of them. */
    mailbox_ids?: Set<string>;
    /** The mailboxes that it left, with when each had received it: it keeps its place in the conversation. */
    left?: Record<string, number>;
    /** When it last left one, in milliseconds. */
    left_at?: number;
    /** It was purged, and this is what decides where other messages belong: who wrote it to whom, as hashes. */
    trace?: { from: string | null; people: string[] };
    /** Mailboxes whose owner had read it, or marked it with a star, before it came here. */
    read_in?: Set<string>;
    starred_in?: Set<string>;
    /** Mailboxes where its headers say that it came from a list or a machine. */
    automatic_in?: Set<string>;
    /** Mailboxes whose provider put it into this category. */
    personal_in?: Set<string>;
    promotion_in?: Set<string>;
    update_in?: Set<string>;
    forum_in?: Set<string>;
    /** Users and groups whose indexes of texts have it, because shares open it to them. */
    found_by?: Set<string>;
    /** Of a mail that the service sent: whom it did not reach, or late. */
    undelivered?: Undelivered[];
  };

/** The mailboxes of a message or thread. */
export const mailboxesOf = ({ mailbox_ids = new Set() }: { mailbox_ids?: Set<string> }): Set<string> =>
  mailbox_ids;

/** An attachment without its bytes, which are a file in the bucket. */
export type StoredAttachment = Omit<ParsedAttachment, 'content'> & { id: string; file_id: string };

/** A summary that an agent made of the messages of some mailboxes. */
export interface ThreadSummary {
  headline: string;
  summary: string;
  /** Of the thread when it was summarized. */
  version: number;
}

/** A share of a thread. */
export type ThreadShare = StoredShare & {
  /** Mailboxes whose messages the sharer could share: the share opens these messages, later ones included. */
  mailbox_ids: string[];
};

/** Values of a thread that follow from the messages that a user may read. */
export type EntryValues = ShownOfEntry & {
  thread_id: string;
  account_id: string;
  user_id: string;
  /** Its place in lists ordered by the latest message: the time, then the thread's id. */
  rank: string;
  /** Its place in the inbox; missing while nobody else sent a message. */
  inbox_rank?: string;
  version: number;
  /** The newest message and who wrote it; entries from before there was such a field have none. */
  last_message?: { id: string; from: MailAddress | null; automatic?: true };
  /** Messages from others that were not read elsewhere: when this grows, the thread becomes unread. */
  received_count: number;
  /** Messages that came with a star: when this grows, the thread becomes flagged. */
  starred_count?: number;
  /** True while no message was sent from one of the user's own addresses. */
  unreplied: boolean;
  /** The mailboxes of the messages it was computed from, including those that only a share opens. */
  mailbox_ids: string[];
  /** How it is shared with the user. */
  shared_with: ('direct' | 'group')[];
  /**
   * Set when the user sees some of its messages through a share only, so that the share decides whether it is valid.
   */
  through_share?: true;
  /** With `through_share`: when the newest message from or to each address was sent, in milliseconds. */
  last_with?: Record<string, number>;
  /** As many as an entry holds, as with participants. */
  sender_email_addresses: string[];
  participant_names: Record<string, string | null>;
};

/** What lists of words have of a thread. */
export type Listed = Pick<
  EntryValues,
  'rank' | 'subject' | 'snippet' | 'participant_names' | 'sender_email_addresses'
>;

/** A thread as the messages of one mailbox show it, for the lists of the mailbox. `revision` is its optimistic lock. */
export type MailboxView = Item &
  Listed & { thread_id: string; account_id: string; mailbox_id: string; version: number; revision: number };

/** A user's state of a thread; each field exists only while it applies. */
export type EntryState = {
  unread?: 1;
  flagged?: 1;
  resolved?: true;
  /** As the user sent it. */
  snooze_until?: string;
  /** The same moment in milliseconds. */
  snoozed_until?: number;
};

/** A thread as one user sees it. Every write increments `revision`, which is its optimistic lock. */
export type ThreadEntry = Item & EntryValues & EntryState & { revision: number };
