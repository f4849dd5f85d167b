import type { User } from '#shared/domain/identity/users/user.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { type Category, categories } from '#shared/domain/mail/mime/message.ts';
import { keys, timeRank } from '#shared/table/keys.ts';
import { isFile } from './messages.ts';
import { openMailboxes, sharesWith, type Viewer } from './policy.ts';
import {
  type EntryState,
  type EntryValues,
  type Listed,
  type Message,
  mailboxesOf,
  type Thread,
  type ThreadEntry,
} from './thread.ts';

/** One user's view of a thread, computed from the messages that the user may read. */

/** The user's own addresses: those of the account and of the mailboxes the user owns. */
export function ownAddresses(user: User, owned: Mailbox[]): Set<string> {
  return new Set([
    user.email_address,
    ...owned.flatMap((mailbox) => [mailbox.email_address, ...mailbox.aliases]),
  ]);
}

export function messagesOfMailboxes(messages: Message[], mailbox_ids: ReadonlySet<string>): Message[] {
  return messages.filter((message) => [...mailboxesOf(message)].some((id) => mailbox_ids.has(id)));
}

export function visibleMessages(viewer: Viewer, thread: Thread, messages: Message[]): Message[] {
  return messagesOfMailboxes(messages, openMailboxes(viewer, thread));
}

/** Sender and recipients, without Bcc: only the sender's copy has it, and nobody else may see it. */
export function addressesOf(message: Pick<Message, 'from' | 'to' | 'cc'>) {
  return [...(message.from ? [message.from] : []), ...message.to, ...message.cc];
}

/** Bytes of people in an entry, which every change of the user writes again: some 1,500 addresses with names. */
const PEOPLE_BYTES = 64_000;

/** The first elements of a list that fit into the bytes. */
function fitting<T>(list: T[], bytes: number): T[] {
  let left = bytes;
  const end = list.findIndex((each) => {
    left -= Buffer.byteLength(JSON.stringify(each));
    return left < 0;
  });
  return end === -1 ? list : list.slice(0, end);
}

/** Every address with its latest name, as many as fit: senders first, and the most recent recipients. */
function peopleOf(messages: Message[]) {
  const names = new Map<string, string | null>();
  for (const message of messages)
    for (const { email_address, name } of addressesOf(message))
      if (name !== null || !names.has(email_address)) names.set(email_address, name);
  const newestFirst = messages.toReversed();
  const senders = [...new Set(newestFirst.flatMap((message) => message.from?.email_address ?? []))];
  const others = newestFirst.flatMap((message) => [...message.to, ...message.cc]);
  const order = new Set([...senders, ...others.map(({ email_address }) => email_address)]);
  const kept = new Map(
    fitting(
      [...order].map((address) => [address, names.get(address) ?? null] as const),
      PEOPLE_BYTES,
    ),
  );
  return {
    sender_email_addresses: fitting(senders.toReversed(), PEOPLE_BYTES),
    // In the order in which they joined the conversation.
    participant_names: Object.fromEntries([...names].filter(([address]) => kept.has(address))),
    participant_count: names.size,
  };
}

const isoTime = (milliseconds: number) => new Date(milliseconds).toISOString();

const hasFile = ({ attachments }: Message) => attachments.some(isFile);

/** Messages with a mark of one of these mailboxes. */
const noted = (messages: Message[], note: 'read_in' | 'starred_in', mailboxes: Mailbox[]) =>
  messages.filter((message) => mailboxes.some(({ id }) => message[note]?.has(id)));

/** As the provider of one of the user's own mailboxes says, else of one that the user reads. */
export function categoryOf(
  message: Message,
  owned: Mailbox[],
  open: ReadonlySet<string> = new Set(),
): Category | null {
  const among = (ids: ReadonlySet<string>) =>
    categories.find((each) => [...(message[`${each}_in`] ?? [])].some((id) => ids.has(id)));
  return among(new Set(owned.map(({ id }) => id))) ?? among(open) ?? message.category;
}

/** As it came to the user's own mailboxes, else to those that the user reads. */
export function isAutomatic(
  message: Message,
  owned: Mailbox[],
  open: ReadonlySet<string> = new Set(),
): boolean {
  const own = owned.map(({ id }) => id).filter((id) => mailboxesOf(message).has(id));
  const ids = own.length > 0 ? own : [...open];
  return message.automatic || ids.some((id) => message.automatic_in?.has(id));
}

/** When the first of these mailboxes received it, independent of the clocks of senders and other mailboxes. */
function receivedAt({ received_in, sent }: Message, open: ReadonlySet<string>): number {
  const moments = Object.entries(received_in ?? {}).filter(([id]) => open.has(id));
  return moments.length === 0 ? sent : Math.min(...moments.map(([, moment]) => moment));
}

/** Values that only messages from others determine. `owned` are the user's mailboxes, `open` those the user reads. */
function receivedValues(thread: Thread, received: Message[], owned: Mailbox[], open: ReadonlySet<string>) {
  const newest = received.reduce<number | undefined>(
    (latest, message) => Math.max(latest ?? Number.NEGATIVE_INFINITY, receivedAt(message, open)),
    undefined,
  );
  return {
    ...(newest === undefined ? {} : { inbox_rank: `${timeRank(newest)}#${thread.id}` }),
    received_count: received.length - noted(received, 'read_in', owned).length,
    inbox_sort_time: newest === undefined ? null : isoTime(newest),
    category: received.reduce<Category | null>(
      (latest, message) => categoryOf(message, owned, open) ?? latest,
      null,
    ),
  };
}

/** When the newest message with each of these addresses was sent. */
function lastWith(messages: Message[], addresses: string[]): Record<string, number> {
  const last = new Map<string, number>();
  for (const message of messages)
    for (const { email_address } of addressesOf(message)) last.set(email_address, message.sent);
  return Object.fromEntries(addresses.map((address) => [address, last.get(address) as number]));
}

/** How the user has access to the thread. */
function accessValues(thread: Thread, user: Viewer, visible: Message[]) {
  const open = openMailboxes(user, thread);
  const mailbox_ids = [...new Set(visible.flatMap((message) => [...mailboxesOf(message)]))]
    .filter((id) => open.has(id))
    .sort();
  const shares = sharesWith(user, thread);
  const shared_with: ThreadEntry['shared_with'] = [];
  if (shares.some((share) => share.user_id !== null)) shared_with.push('direct');
  if (shares.some((share) => share.group_id !== null)) shared_with.push('group');
  const through_share = mailbox_ids.some((id) => !Object.hasOwn(user.mailboxes, id));
  return { mailbox_ids, shared_with, ...(through_share ? { through_share: true as const } : {}) };
}

/** What lists of words have of some messages; undefined without messages. */
export function deriveListed(thread_id: string, messages: Message[]): Listed | undefined {
  const [first, last] = [messages[0], messages.at(-1)];
  if (!first || !last) return undefined;
  const { sender_email_addresses, participant_names } = peopleOf(messages);
  return {
    rank: `${timeRank(last.sent)}#${thread_id}`,
    ...{ subject: first.subject, snippet: last.snippet, sender_email_addresses, participant_names },
  };
}

/** `messages` of one thread, oldest first. Undefined when the user sees none of them. */
export function deriveEntry(
  thread: Thread,
  user: User,
  mailboxes: Mailbox[],
  messages: Message[],
): EntryValues | undefined {
  const visible = visibleMessages(user, thread, messages);
  const first = visible[0];
  const last = visible.at(-1);
  if (!first || !last) return undefined;
  const owned = mailboxes.filter((mailbox) => mailbox.user_id === user.id);
  const own = ownAddresses(user, owned);
  const starred_count = noted(visible, 'starred_in', owned).length;
  const isOwn = (message: Message) => message.from !== null && own.has(message.from.email_address);
  const received = visible.filter((message) => !isOwn(message));
  const people = peopleOf(visible);
  const access = accessValues(thread, user, visible);
  const open = openMailboxes(user, thread);
  return {
    thread_id: thread.id,
    account_id: thread.account_id,
    user_id: user.id,
    rank: `${timeRank(last.sent)}#${thread.id}`,
    version: thread.version,
    subject: first.subject,
    snippet: last.snippet,
    message_count: visible.length,
    last_message: {
      ...{ id: last.id, from: last.from },
      ...(isAutomatic(last, owned, open) ? { automatic: true as const } : {}),
    },
    has_attachments: visible.some(hasFile),
    unreplied: received.length === visible.length,
    first_sent_at: isoTime(first.sent),
    last_sent_at: isoTime(last.sent),
    ...people,
    ...receivedValues(thread, received, owned, open),
    ...(starred_count > 0 ? { starred_count } : {}),
    ...access,
    ...(access.through_share ? { last_with: lastWith(visible, Object.keys(people.participant_names)) } : {}),
  };
}

/**
 * True when there are more messages from others than before, and none arrived since: the thread was opened to the user.
 */
export function wasOpened(before: ThreadEntry | undefined, values: EntryValues): boolean {
  return before?.version === values.version && values.received_count > before.received_count;
}

/** Whether messages from others are in it, whose marks a mail server can have. */
export const hasReceived = ({ inbox_sort_time }: Pick<EntryValues, 'inbox_sort_time'>): boolean =>
  inbox_sort_time !== null;

/**
 * The user's state, whatever arrived. Own messages have no read mark at servers: that of a thread of own messages alone
 * ends when the first answers were read elsewhere.
 */
export function stateKept(before: ThreadEntry | undefined, values: EntryValues): EntryState {
  const { unread, ...state } = stateOf(before);
  const ends = before && !hasReceived(before) && hasReceived(values) && values.received_count === 0;
  return { ...(unread && !ends ? { unread } : {}), ...state };
}

/**
 * The user's state of the thread. New mail from others makes it unread and unresolved, unless the user had read it
 * before it came here; mail with a star flags it.
 */
export function stateAfter(before: ThreadEntry | undefined, values: EntryValues): EntryState {
  const grown = values.received_count > (before?.received_count ?? 0);
  const starred = (values.starred_count ?? 0) > (before?.starred_count ?? 0);
  const flagged: EntryState = before?.flagged || starred ? { flagged: 1 } : {};
  return grown && !wasOpened(before, values)
    ? { ...flagged, unread: 1 }
    : { ...stateKept(before, values), ...flagged };
}

export function stateOf(entry: EntryState | undefined): EntryState {
  const { unread, flagged, resolved, snooze_until, snoozed_until } = entry ?? {};
  return {
    ...(unread ? { unread } : {}),
    ...(flagged ? { flagged } : {}),
    ...(resolved ? { resolved } : {}),
    ...(snooze_until !== undefined && snoozed_until !== undefined ? { snooze_until, snoozed_until } : {}),
  };
}

/** An expired snooze does not count. */
export function isSnoozed({ snoozed_until }: EntryState, now: Date): boolean {
  return snoozed_until !== undefined && snoozed_until > now.getTime();
}

/** The entry that follows `before`. */
export function nextEntry(
  before: ThreadEntry | undefined,
  values: EntryValues,
  state: EntryState,
): ThreadEntry {
  return {
    ...keys.threadEntry(values.user_id, values.thread_id),
    ...values,
    ...state,
    revision: (before?.revision ?? 0) + 1,
  };
}

/** The values of an entry without the user's state, key and revision. */
export function valuesOf(entry: ThreadEntry): EntryValues {
  const { PK, SK, revision, unread, flagged, resolved, snooze_until, snoozed_until, ...values } = entry;
  return values;
}
