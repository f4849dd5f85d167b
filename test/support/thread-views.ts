/**
 * The rules of docs/specification/mail.md for threads, in their simplest form: plain arrays that are filtered and
 * sorted. Shares no code with the product but the generation of ids.
 */
export interface ModelUser {
  id: string;
  email_address: string;
  time_zone: string;
  week_starts_on: 'monday' | 'sunday';
  primary: string | null;
  /** Mailboxes that the user may read, with the access. */
  mailboxes: Map<string, 'owner' | 'edit' | 'view'>;
  groups: Set<string>;
}

export interface ModelMailbox {
  id: string;
  owner: string;
  addresses: string[];
}

export interface Person {
  email_address: string;
  name: string | null;
}

export interface ModelMessage {
  rfc_id: string;
  id: string;
  refers_to: string[];
  sent: number;
  from: Person;
  to: Person[];
  subject: string | null;
  snippet: string | null;
  has_file: boolean;
  category: string | null;
  /** Mailboxes, with the moment in milliseconds at which each received it. */
  reached: Map<string, number>;
}

export interface ModelShare {
  user_id: string | null;
  group_id: string | null;
  mailbox_ids: string[];
}

export interface ModelContact {
  id: string;
  name: string;
  addresses: string[];
  /** The owner of a private contact. */
  private_to: string | null;
  pinned_by: Set<string>;
}

/** An organization or a space. */
export interface ModelOwner {
  addresses: string[];
  tags: string[];
  tag_operator?: 'any' | 'all';
}

export interface ModelState {
  unread: boolean;
  flagged: boolean;
  resolved: boolean;
  snooze: { as_sent: string; until: number } | null;
}

/** A thread as one user sees it. */
export interface View extends ModelState {
  id: string;
  messages: ModelMessage[];
  subject: string | null;
  snippet: string | null;
  has_attachments: boolean;
  first: number;
  last: number;
  /** When the last message was received. */
  inbox: number | null;
  category: string | null;
  unreplied: boolean;
  names: Map<string, string | null>;
  senders: Set<string>;
  /** The mailboxes of its messages that are open to the user. */
  open: Set<string>;
  shared: { direct: boolean; group: boolean };
  tags: Set<string>;
}

/** When the first of a user's mailboxes received it. */
function receivedAt({ reached }: ModelMessage, readable: Set<string>): number {
  return Math.min(...[...reached].filter(([box]) => readable.has(box)).map(([, moment]) => moment));
}

const latest = (moments: number[]) => (moments.length === 0 ? null : Math.max(...moments));

export class ThreadViews {
  readonly account_id: string;
  readonly users = new Map<string, ModelUser>();
  readonly mailboxes: ModelMailbox[] = [];
  readonly messages: ModelMessage[] = [];
  readonly contacts: ModelContact[] = [];
  readonly all_tags: string[] = [];
  /** By Message-ID. */
  readonly thread_of = new Map<string, string>();
  /** By thread. */
  readonly shares = new Map<string, Map<string, ModelShare>>();
  readonly tags = new Map<string, Set<string>>();
  /** By type and id. */
  readonly owners = new Map<string, ModelOwner>();
  readonly #states = new Map<string, ModelState>();

  constructor(account_id: string) {
    this.account_id = account_id;
  }

  /** Oldest message first. The grouping of messages has a model of its own, with the arrival of mail. */
  conversations(): ModelMessage[][] {
    const groups = Map.groupBy(this.messages, ({ rfc_id }) => this.thread_of.get(rfc_id));
    const place = ({ sent }: ModelMessage) => Math.max(0, sent);
    return [...groups.values()].map((group) =>
      group.sort((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1)),
    );
  }

  sharesWith(user: ModelUser, thread: string): ModelShare[] {
    return [...(this.shares.get(thread)?.values() ?? [])].filter(
      ({ user_id, group_id }) => user_id === user.id || (group_id !== null && user.groups.has(group_id)),
    );
  }

  ownAddresses(user: ModelUser): Set<string> {
    const owned = this.mailboxes.filter(({ owner }) => owner === user.id);
    return new Set([user.email_address, ...owned.flatMap(({ addresses }) => addresses)]);
  }

  #view(user: ModelUser, conversation: ModelMessage[]): View | undefined {
    const id = this.thread_of.get(conversation[0]?.rfc_id ?? '') as string;
    const shares = this.sharesWith(user, id);
    const readable = new Set([...user.mailboxes.keys(), ...shares.flatMap(({ mailbox_ids }) => mailbox_ids)]);
    const messages = conversation.filter(({ reached }) =>
      [...reached.keys()].some((box) => readable.has(box)),
    );
    const [first, last] = [messages[0], messages.at(-1)];
    if (!first || !last) return undefined;
    const own = this.ownAddresses(user);
    const received = messages.filter(({ from }) => !own.has(from.email_address));
    const names = new Map<string, string | null>();
    for (const { from, to } of messages)
      for (const { email_address, name } of [from, ...to])
        names.set(email_address, name ?? names.get(email_address) ?? null);
    return {
      ...this.stateOf(user.id, id),
      id,
      messages,
      subject: first.subject,
      snippet: last.snippet,
      has_attachments: messages.some(({ has_file }) => has_file),
      first: first.sent,
      last: last.sent,
      inbox: latest(received.map((message) => receivedAt(message, readable))),
      category: received.findLast(({ category }) => category !== null)?.category ?? null,
      unreplied: received.length === messages.length,
      names,
      senders: new Set(messages.map(({ from }) => from.email_address)),
      open: new Set(
        messages.flatMap(({ reached }) => [...reached.keys()]).filter((box) => readable.has(box)),
      ),
      shared: {
        direct: shares.some(({ user_id }) => user_id !== null),
        group: shares.some(({ group_id }) => group_id !== null),
      },
      tags: this.tags.get(id) ?? new Set(),
    };
  }

  views(user_id: string): View[] {
    const user = this.users.get(user_id) as ModelUser;
    return this.conversations().flatMap((conversation) => this.#view(user, conversation) ?? []);
  }

  // --- The state of threads for each user.

  stateOf(user: string, thread: string): ModelState {
    return (
      this.#states.get(`${user} ${thread}`) ?? {
        unread: false,
        flagged: false,
        resolved: false,
        snooze: null,
      }
    );
  }

  setState(user: string, thread: string, change: Partial<ModelState>): void {
    this.#states.set(`${user} ${thread}`, { ...this.stateOf(user, thread), ...change });
  }

  /**
   * Updates states after a change: a thread that becomes visible is unread if it has a received message, the state of
   * a hidden one is dropped, and a new received message makes the thread unread and reopens it.
   */
  change(what: () => void, arrived?: ModelMessage): void {
    const before = new Map([...this.users.keys()].map((id) => [id, this.views(id)]));
    what();
    for (const [id, user] of this.users) {
      const after = this.views(id);
      const own = this.ownAddresses(user);
      const seen = before.get(id) ?? [];
      for (const view of after) {
        const known = seen.find((each) => each.id === view.id);
        if (!known) this.setState(id, view.id, { unread: view.inbox !== null });
        else if (
          arrived &&
          view.messages.includes(arrived) &&
          !known.messages.includes(arrived) &&
          !own.has(arrived.from.email_address)
        )
          this.setState(id, view.id, { unread: true, resolved: false, snooze: null });
      }
      for (const { id: thread } of seen)
        if (!after.some((view) => view.id === thread)) this.#states.delete(`${id} ${thread}`);
    }
  }
}
