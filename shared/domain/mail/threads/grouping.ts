import { type Addresses, attachmentOf, type Link, nearestOf } from './forest.ts';
import { mailboxesOf, type Thread } from './thread.ts';

/** Which messages of some threads belong together, and which of these threads may become one. */

export interface KnownThread {
  thread: Thread;
  /** In the order in which they were sent. */
  links: Link[];
  /** It has comments or tags, which all of its readers see. */
  annotated: boolean;
  /** Too large to be split or joined: only replies to its messages are added. */
  closed: boolean;
}

/** Where messages of a mailbox meet that wait for the same ancestor. */
export interface Meeting {
  hash: string;
  mailbox_id: string;
  /** The thread in which they meet now. */
  thread_id: string | undefined;
}

export const meetingName = ({ hash, mailbox_id }: Pick<Meeting, 'hash' | 'mailbox_id'>) =>
  `${hash} ${mailbox_id}`;

/** The meetings of messages that name an oldest ancestor, even if it has arrived since. */
export function meetingsOf(links: Link[]): Pick<Meeting, 'hash' | 'mailbox_id'>[] {
  const all = links.flatMap(({ oldest, mailbox_ids }) =>
    oldest === undefined ? [] : [...mailbox_ids].map((mailbox_id) => ({ hash: oldest, mailbox_id })),
  );
  return [...new Map(all.map((meeting) => [meetingName(meeting), meeting])).values()];
}

const isWithin = (a: ReadonlySet<string>, b: ReadonlySet<string>) => [...a].every((each) => b.has(each));

/** The mailboxes that read it, or will again when a message comes back to them. */
const reachOf = ({ thread, links }: KnownThread) =>
  new Set([...mailboxesOf(thread), ...links.flatMap(({ mailbox_ids }) => [...mailbox_ids])]);

/**
 * Two threads may not become one if anybody could then read more than before: messages that a share opens, or comments
 * and tags whose authors could not know their readers.
 */
function mayJoin(a: KnownThread, b: KnownThread): boolean {
  if (a.thread.merged_into === b.thread.id || b.thread.merged_into === a.thread.id) return true;
  const isOpen = ({ thread, closed }: KnownThread) =>
    !closed && Object.keys(thread.shares ?? {}).length === 0;
  if (!isOpen(a) || !isOpen(b)) return false;
  const keepsItsReaders = (one: KnownThread, other: KnownThread) =>
    !one.annotated || isWithin(reachOf(other), reachOf(one));
  return keepsItsReaders(a, b) && keepsItsReaders(b, a);
}

/** Disjoint sets of names (union-find). */
class Groups {
  readonly #above = new Map<string, string>();

  find(name: string): string {
    let top = name;
    for (let above = this.#above.get(top); above !== undefined; above = this.#above.get(top)) top = above;
    // Shortens the path for the next time.
    for (let at = name; at !== top; ) {
      const next = this.#above.get(at) as string;
      this.#above.set(at, top);
      at = next;
    }
    return top;
  }

  join(a: string, b: string): void {
    const [from, into] = [this.find(a), this.find(b)];
    if (from !== into) this.#above.set(from, into);
  }
}

/** Messages that belong together, and their meetings. */
export interface Group {
  links: Link[];
  /** By `meetingName`. */
  meetings: string[];
}

/** What a message follows in a mailbox: another message, or a meeting by its name. */
interface Tie {
  link: Link;
  mailbox_id: string;
  to: Link | string;
}

function* tiesOf(links: Link[], addresses: Addresses): Generator<Tie> {
  const byHash = Map.groupBy(links, ({ id_hash }) => id_hash);
  const claims = (hash: string) => byHash.get(hash) ?? [];
  for (const link of links)
    for (const mailbox_id of link.mailbox_ids) {
      const nearest = nearestOf(link, mailbox_id, claims, addresses);
      const attachment = attachmentOf(link, mailbox_id, nearest, claims(link.id_hash));
      if (attachment)
        yield {
          link,
          mailbox_id,
          to:
            'parent' in attachment ? attachment.parent : meetingName({ hash: attachment.awaits, mailbox_id }),
        };
    }
}

type Places = ReadonlyMap<string, string | undefined>;

const placesOf = (meetings: Meeting[]): Places =>
  new Map(meetings.map((meeting) => [meetingName(meeting), meeting.thread_id]));

/** The thread of the message or meeting that a message follows. */
const placeOf = ({ to }: Tie, places: Places) => (typeof to === 'string' ? places.get(to) : to.thread_id);

export type Departure = Pick<Tie, 'link' | 'mailbox_id'>;

/** Messages that would leave their thread for what they follow in a mailbox, judged by these threads alone. */
export function departuresOf(threads: KnownThread[], meetings: Meeting[], addresses: Addresses): Departure[] {
  const places = placesOf(meetings);
  const links = threads.flatMap((each) => each.links);
  return [...tiesOf(links, addresses)].filter((tie) => placeOf(tie, places) !== tie.link.thread_id);
}

export function groupsOf(threads: KnownThread[], meetings: Meeting[], addresses: Addresses): Group[] {
  const known = new Map(threads.map((each) => [each.thread.id, each]));
  const places = placesOf(meetings);
  const links = threads.flatMap((each) => each.links);
  const groups = new Groups();
  const joinable = (from: string, to: string | undefined) => {
    if (to === undefined || from === to) return true;
    const [a, b] = [known.get(from), known.get(to)];
    return a !== undefined && b !== undefined && mayJoin(a, b);
  };
  // A shared thread keeps its messages.
  for (const { thread, closed, links: own } of threads)
    if (closed || Object.keys(thread.shares ?? {}).length > 0)
      for (const link of own) groups.join(link.id, own[0]?.id as string);
  for (const tie of tiesOf(links, addresses)) {
    const { link, to } = tie;
    if (joinable(link.thread_id, placeOf(tie, places)))
      groups.join(link.id, typeof to === 'string' ? to : to.id);
    // A message that may not move stays.
    else groups.join(link.id, known.get(link.thread_id)?.links[0]?.id as string);
  }
  const members = Map.groupBy(links, ({ id }) => groups.find(id));
  const waiting = Map.groupBy(places.keys(), (name) => groups.find(name));
  return [...members].map(([top, of]) => ({ links: of, meetings: waiting.get(top) ?? [] }));
}

/** Every thread continues as the group with most of its messages, among equals the one with its first message. */
export function heirsOf(threads: KnownThread[], groups: Group[]): Map<Group, string[]> {
  const heirs = new Map<Group, string[]>();
  const groupOf = new Map(groups.flatMap((group) => group.links.map(({ id }) => [id, group] as const)));
  for (const { thread, links } of threads) {
    if (thread.merged_into !== undefined) continue;
    const parts = Map.groupBy(links, ({ id }) => groupOf.get(id) as Group);
    const [largest] = [...parts].sort(([, a], [, b]) => b.length - a.length);
    if (largest) heirs.set(largest[0], [...(heirs.get(largest[0]) ?? []), thread.id].sort());
  }
  return heirs;
}
