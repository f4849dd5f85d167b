import { type Key, keys, lists, timeRank } from '../../table/keys.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import type { User } from '../users/user.ts';
import type { EntryValues, Message } from './thread.ts';

/** What one user sees of a thread, computed from the messages that reached mailboxes the user has access to. */

/** The user's own addresses: those of the account and of the mailboxes the user owns. */
function ownAddresses(user: User, mailboxes: Mailbox[]): Set<string> {
  const owned = mailboxes.filter((mailbox) => mailbox.user_id === user.id);
  return new Set([
    user.email_address,
    ...owned.flatMap((mailbox) => [mailbox.email_address, ...mailbox.aliases]),
  ]);
}

export function visibleMessages(user: Pick<User, 'mailboxes'>, messages: Message[]): Message[] {
  return messages.filter((message) =>
    [...message.mailbox_ids].some((id) => Object.hasOwn(user.mailboxes, id)),
  );
}

/** Sender and recipients, without hidden copies: a Bcc stands in the sender's copy only and is nobody else's business. */
export function addressesOf(message: Pick<Message, 'from' | 'to' | 'cc'>) {
  return [...(message.from ? [message.from] : []), ...message.to, ...message.cc];
}

/** Every address with the name it last went by. */
function participantNames(messages: Message[]): Record<string, string | null> {
  const names = new Map<string, string | null>();
  for (const message of messages)
    for (const { email_address, name } of addressesOf(message))
      if (name !== null || !names.has(email_address)) names.set(email_address, name);
  return Object.fromEntries(names);
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

export type DerivedEntry = Key & EntryValues;

/** `messages` oldest first, of one thread. Undefined when the user sees none of them. */
export function deriveEntry(
  thread: { id: string; account_id: string; version: number },
  user: User,
  mailboxes: Mailbox[],
  messages: Message[],
): DerivedEntry | undefined {
  const visible = visibleMessages(user, messages);
  const first = visible[0];
  const last = visible.at(-1);
  if (!first || !last) return undefined;
  const own = ownAddresses(user, mailboxes);
  const received = visible.filter((message) => !message.from || !own.has(message.from.email_address));
  const newest = received.at(-1);
  const mailbox_ids = new Set(visible.flatMap((message) => [...message.mailbox_ids]));
  return {
    ...keys.threadEntry(user.id, thread.id),
    thread_id: thread.id,
    account_id: thread.account_id,
    user_id: user.id,
    list: lists.threads(user.id),
    rank: `${timeRank(last.sent)}#${thread.id}`,
    ...(newest ? { inbox_rank: `${timeRank(newest.sent)}#${thread.id}` } : {}),
    version: thread.version,
    subject: first.subject,
    snippet: last.snippet,
    message_count: visible.length,
    received_count: received.length,
    has_attachments: visible.some((message) =>
      message.attachments.some((attachment) => !attachment.inline && !attachment.decorative),
    ),
    mailbox_ids: [...mailbox_ids].filter((id) => Object.hasOwn(user.mailboxes, id)).sort(),
    first_sent_at: isoTime(first.sent),
    last_sent_at: isoTime(last.sent),
    inbox_sort_time: newest ? isoTime(newest.sent) : null,
    participant_names: participantNames(visible),
  };
}
