import type { FlagChange } from '#shared/domain/mail/servers/server.ts';
import type { MailCopy } from '#shared/domain/mail/sync/copy.ts';
import type { Message } from '#shared/domain/mail/threads/thread.ts';

/** What a thread's flag and read mark are at a server, where messages have flags (RFC 3501, 2.3.2). */

/** Labels of a thread; missing ones stay as they are. */
export interface Labels {
  read?: boolean;
  flagged?: boolean;
}

type Marks = Partial<Pick<MailCopy, 'seen' | 'flagged'>>;

/** What a message's copies are to have. */
export interface Marking {
  message: Message;
  marks: Marks;
  /** Flags that they get besides. */
  flags?: string[];
}

export type Wanted = Omit<Marking, 'message'>;

const isBy = ({ from }: Message, own: ReadonlySet<string>) => from !== null && own.has(from.email_address);

const receivedAmong = (messages: Message[], own: ReadonlySet<string>): Message[] =>
  messages.filter((message) => !isBy(message, own));

/**
 * A thread is read when all of its received messages are, and flagged when one message is. Unread is the newest one again,
 * and flagged the newest. `messages` are those of the user's mailboxes, oldest first.
 */
export function markingsOf(
  { read, flagged }: Labels,
  messages: Message[],
  own: ReadonlySet<string>,
): Marking[] {
  const received = receivedAmong(messages, own);
  const seen = read === undefined ? [] : read ? received : received.slice(-1);
  const starred = flagged === undefined ? [] : flagged ? messages.slice(-1) : messages;
  const named = [
    ...seen.map((message) => ({ message, marks: { seen: read as boolean } })),
    ...starred.map((message) => ({ message, marks: { flagged: flagged as boolean } })),
  ];
  return [...Map.groupBy(named, ({ message }) => message)].map(([message, of]) => ({
    message,
    marks: Object.assign({}, ...of.map(({ marks }) => marks)) as Marks,
  }));
}

/** By message; a message is read, or flagged, when one of its copies is. */
export type CopiesByMessage = ReadonlyMap<string, Pick<MailCopy, 'seen' | 'flagged'>[]>;

/** What copies say about their thread; nothing about one of which no received message has a copy. */
export function labelsOf(messages: Message[], copies: CopiesByMessage, own: ReadonlySet<string>): Labels {
  const of = (message: Message) => copies.get(message.id) ?? [];
  const known = messages.filter((message) => of(message).length > 0);
  const received = receivedAmong(known, own);
  return {
    ...(received.length > 0
      ? { read: received.every((message) => of(message).some(({ seen }) => seen)) }
      : {}),
    ...(known.length > 0
      ? { flagged: known.some((message) => of(message).some((copy) => copy.flagged)) }
      : {}),
  };
}

/** Flags are added and removed, never replaced: others stay. */
export function flagsOf({ marks: { seen, flagged }, flags = [] }: Wanted): Required<FlagChange> {
  const named = [
    ['\\Seen', seen] as const,
    ['\\Flagged', flagged] as const,
    ...flags.map((flag) => [flag, true] as const),
  ];
  return {
    add: named.flatMap(([flag, value]) => (value === true ? [flag] : [])),
    remove: named.flatMap(([flag, value]) => (value === false ? [flag] : [])),
  };
}
