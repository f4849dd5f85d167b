import { hashOfId } from '#shared/domain/mail/mime/identity.ts';
import { type Message, mailboxesOf } from './thread.ts';

/**
 * Which messages belong together (docs/specification/mail.md, "Grouping"): a function of the set of messages,
 * independent of their order. Everything in a mail is a claim of its sender, so each mailbox threads its mail by
 * itself:
 * - A message follows its nearest ancestor that the mailbox has, or that names the mailbox among From, To and Cc.
 * - Without such an ancestor it meets the mailbox's other messages that descend from the same oldest one.
 * - A new subject among new people begins a thread, compared with the ancestor.
 * - A message that reached several mailboxes joins their threads.
 */

/** The fields of a message that decide where it belongs. */
export type Link = Pick<
  Message,
  'id' | 'thread_id' | 'id_hash' | 'ancestors' | 'oldest' | 'sent' | 'received_in'
> & {
  /** Subjects and addresses are hashes: of purged messages nothing else is known. */
  base_subject: string;
  /** The mailboxes that it reached, also those that it left: what is deleted tears no conversation apart. */
  mailbox_ids: ReadonlySet<string>;
  /** Those that still have it. */
  held_by: ReadonlySet<string>;
  from: string | null;
  /** Sender and recipients. */
  people: ReadonlySet<string>;
};

export interface Addresses {
  /** By mailbox id: its address and aliases, as hashes. */
  of: ReadonlyMap<string, ReadonlySet<string>>;
  /** Addresses of all users and mailboxes of the account, which all of their mail shares. */
  own: ReadonlySet<string>;
}

/** What a message is attached to in one mailbox. */
export type Attachment =
  | { parent: Link }
  /** The hash of the oldest ancestor's id, and the mailbox in which its descendants meet. */
  | { awaits: string; mailbox_id: string }
  /** It begins a thread. */
  | undefined;

const overlap = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].some((each) => b.has(each));

/** When the message arrived, as far as the mailbox knows. Its own server wrote that, so a later forgery is later. */
const receivedIn = ({ received_in, sent }: Link, mailbox: string) =>
  received_in?.[mailbox] ?? Math.min(...Object.values(received_in ?? { sent }));

/** Among messages that claim one id: those of the mailbox first, then the earliest. */
function bestOf(candidates: Link[], mailbox: string, addresses: Addresses): Link | undefined {
  const own = candidates.filter(({ mailbox_ids }) => mailbox_ids.has(mailbox));
  const called = addresses.of.get(mailbox) ?? new Set();
  const known = own.length > 0 ? own : candidates.filter(({ people }) => overlap(called, people));
  const order = (a: Link, b: Link) =>
    receivedIn(a, mailbox) - receivedIn(b, mailbox) || (a.id < b.id ? -1 : 1);
  return known.sort(order)[0];
}

/** A changed subject among people who were not on the ancestor, except the account's own. */
function beginsThread(link: Link, ancestor: Link, { own }: Addresses): boolean {
  if (link.base_subject === ancestor.base_subject) return false;
  return ![...link.people].some((address) => ancestor.people.has(address) && !own.has(address));
}

/** Copies of one message that a list or a gateway changed; such a conversation may begin with them. */
function isCopy(link: Link, other: Link): boolean {
  return (
    other.id !== link.id &&
    other.oldest === undefined &&
    other.from === link.from &&
    other.sent === link.sent &&
    other.base_subject === link.base_subject
  );
}

export interface Nearest {
  hash: string;
  ancestor: Link;
  /** Whether the message begins a thread nevertheless. */
  begins: boolean;
}

/** The nearest ancestor in one mailbox; `candidatesOf` returns the messages that claim the id of a hash. */
export function nearestOf(
  link: Link,
  mailbox_id: string,
  candidatesOf: (hash: string) => Link[],
  addresses: Addresses,
): Nearest | undefined {
  for (const hash of link.ancestors) {
    const others = candidatesOf(hash).filter(({ id }) => id !== link.id);
    const ancestor = bestOf(others, mailbox_id, addresses);
    if (ancestor) return { hash, ancestor, begins: beginsThread(link, ancestor, addresses) };
  }
  return undefined;
}

/** The attachment of a message, from its nearest ancestor; `others` have the same id. */
export function attachmentOf(
  link: Link,
  mailbox_id: string,
  nearest: Nearest | undefined,
  others: Link[],
): Attachment {
  if (nearest) return nearest.begins ? undefined : { parent: nearest.ancestor };
  if (link.oldest !== undefined) return { awaits: link.oldest, mailbox_id };
  const copies = others.filter((other) => other.mailbox_ids.has(mailbox_id) && isCopy(link, other));
  const parent = copies.sort((a, b) => (a.id < b.id ? -1 : 1))[0];
  return parent && { parent };
}

/** People of a message that are compared with those of others: a thread has up to 5,000 messages that are. */
const COMPARED = 200;

/** What decides where a message belongs, besides the ids that it names. */
function claimsOf({
  trace,
  base_subject,
  from,
  to,
  cc,
}: Message): Pick<Link, 'base_subject' | 'from' | 'people'> {
  if (trace) return { base_subject, from: trace.from, people: new Set(trace.people) };
  const people = [...(from ? [from] : []), ...to, ...cc].slice(0, COMPARED);
  return {
    base_subject: hashOfId(base_subject),
    from: from && hashOfId(from.email_address),
    people: new Set(people.map(({ email_address }) => hashOfId(email_address))),
  };
}

export function linkOf(message: Message): Link {
  const { id, thread_id, id_hash, ancestors, oldest, sent, left = {} } = message;
  const held_by = mailboxesOf(message);
  return {
    ...{ id, thread_id, id_hash, ancestors, sent, held_by, ...claimsOf(message) },
    received_in: { ...left, ...message.received_in },
    mailbox_ids: new Set([...held_by, ...Object.keys(left)]),
    ...(oldest === undefined ? {} : { oldest }),
  };
}
