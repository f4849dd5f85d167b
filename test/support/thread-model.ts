import { type ModelContact, type ModelUser, ThreadViews, type View } from './thread-views.ts';
import { DAY, dayBegins, wallAt } from './wall-clock.ts';

/** The content of lists (docs/specification/mail.md, "Lists and filters"): all threads, filtered and sorted. */

export type Filters = Record<string, string | boolean>;

const iso = (moment: number) => new Date(moment).toISOString();
/** YYYY-MM-DD, as the clocks of the zone show it. */
export const dateIn = (time_zone: string, moment: number) => iso(wallAt(time_zone, moment)).slice(0, 10);

export class ThreadModel extends ThreadViews {
  contact(user: string, id: unknown): ModelContact | undefined {
    return this.contacts.find(
      (contact) => contact.id === id && (contact.private_to === null || contact.private_to === user),
    );
  }

  /** The threads of a list in order; undefined for 404. */
  list(user_id: string, filters: Filters, now: number): View[] | undefined {
    const user = this.users.get(user_id) as ModelUser;
    const { mailbox_id, contact_id, tags } = filters;
    if (mailbox_id !== undefined && !user.mailboxes.has(String(mailbox_id).toLowerCase())) return undefined;
    if (contact_id !== undefined && !this.contact(user_id, contact_id)) return undefined;
    if (tags !== undefined && !idsOf(tags).every((id) => this.all_tags.includes(id))) return undefined;
    const kept = this.views(user_id).filter((view) => this.keeps(view, user, filters, now));
    const place = (view: View) => (filters.slice === 'inbox' ? (view.inbox ?? 0) : view.last);
    return kept.sort((a, b) => place(b) - place(a) || (a.id < b.id ? 1 : -1));
  }

  keeps(view: View, user: ModelUser, filters: Filters, now: number): boolean {
    return Object.entries(filters).every(([name, value]) =>
      this.#fits(view, user, name, value, filters, now),
    );
  }

  #fits(
    view: View,
    user: ModelUser,
    name: string,
    value: string | boolean,
    filters: Filters,
    now: number,
  ): boolean {
    const text = String(value);
    switch (name) {
      case 'slice':
        return this.#inSlice(view, user, text, now);
      case 'scope':
        return text === 'personal'
          ? user.primary !== null && view.open.has(user.primary)
          : view.shared.direct || view.shared.group;
      case 'mailbox_id':
        return view.open.has(text.toLowerCase());
      case 'contact_id':
        return (this.contact(user.id, value)?.addresses ?? []).some((address) => view.names.has(address));
      case 'query':
        return matches(text, `${view.subject ?? ''}\n${view.snippet ?? ''}`);
      case 'subject':
        return matches(text, view.subject ?? '');
      case 'participant':
        return view.names.has(text.toLowerCase());
      case 'category':
        return view.category === text;
      case 'first_sent_before':
        return view.first < momentOf(text, user.time_zone);
      case 'last_sent_after':
        return view.last > momentOf(text, user.time_zone);
      case 'tags':
        return filters.tag_operator === 'all'
          ? idsOf(value).every((id) => view.tags.has(id))
          : idsOf(value).some((id) => view.tags.has(id));
      case 'tag_operator':
        return true;
      default:
        return value === false || inState(view, name);
    }
  }

  #inSlice(view: View, user: ModelUser, slice: string, now: number): boolean {
    const [sent, today] = [dateIn(user.time_zone, view.last), dateIn(user.time_zone, now)];
    switch (slice) {
      case 'inbox':
        return view.inbox !== null;
      case 'today':
        return sent === today;
      case 'workweek': {
        const weekday = new Date(today).getUTCDay();
        const days = (weekday + (user.week_starts_on === 'monday' ? 6 : 0)) % 7;
        return sent >= iso(Date.parse(today) - days * DAY).slice(0, 10);
      }
      case 'unreplied':
      case 'awaiting':
        return view.unreplied;
      case 'snoozed':
        return view.snooze !== null && view.snooze.until > now;
      case 'pinned-contacts':
        return this.contacts.some(
          ({ pinned_by, addresses }) =>
            pinned_by.has(user.id) && addresses.some((address) => view.names.has(address)),
        );
      case 'shared':
        return view.shared.direct;
      default:
        return inState(view, slice);
    }
  }

  belongsTo(view: View, owner: string): boolean {
    const { addresses, tags, tag_operator } = this.owners.get(owner) ?? { addresses: [], tags: [] };
    const carried = tags.filter((id) => view.tags.has(id)).length;
    const byTag = tags.length > 0 && (tag_operator === 'all' ? carried === tags.length : carried > 0);
    return byTag || addresses.some((address) => view.names.has(address));
  }

  /** Received a message in the last 14 days, and not resolved. */
  openThreads(user_id: string, now: number): View[] {
    return this.views(user_id).filter(
      (view) => view.inbox !== null && view.inbox >= now - 14 * DAY && !view.resolved,
    );
  }

  // --- A thread in a response.

  presented(user_id: string, view: View, now: number) {
    const user = this.users.get(user_id) as ModelUser;
    const contactAt = (address: string) => {
      const { id, name } =
        this.contacts.find(
          (contact) => contact.addresses.includes(address) && this.contact(user_id, contact.id),
        ) ?? {};
      return id === undefined ? undefined : { id, name };
    };
    return {
      ...presentedOpen(user, view, now),
      participants: Object.fromEntries(
        [...view.names].map(([address, name]) => [address, contactAt(address) ?? name]),
      ),
      tags: [...view.tags].sort(),
    };
  }

  presentedOpenEntry(user_id: string, view: View, now: number) {
    return {
      ...presentedOpen(this.users.get(user_id) as ModelUser, view, now),
      category: view.category,
      sender_email_addresses: [...view.senders].sort(),
      participant_email_addresses: [...view.names.keys()].sort(),
    };
  }
}

function presentedOpen(user: ModelUser, view: View, now: number) {
  return {
    id: view.id,
    subject: view.subject,
    snippet: view.snippet,
    message_count: view.messages.length,
    has_attachments: view.has_attachments,
    read: !view.unread,
    flagged: view.flagged,
    resolved: view.resolved,
    snooze_until: view.snooze && view.snooze.until > now ? view.snooze.as_sent : null,
    mailbox_ids: [...view.open].filter((id) => user.mailboxes.has(id)).sort(),
    inbox_sort_time: view.inbox === null ? null : iso(view.inbox),
    first_sent_at: iso(view.first),
    last_sent_at: iso(view.last),
    last_message: lastOf(view),
    participant_names: Object.fromEntries(view.names),
  };
}

function lastOf({ messages, last }: View) {
  const newest = messages.at(-1);
  if (!newest) return null;
  const { email_address, name } = newest.from;
  return { id: newest.id, sent_at: iso(last), from_email_address: email_address, from_name: name };
}

function inState(view: View, name: string): boolean {
  switch (name) {
    case 'unread':
      return view.unread;
    case 'flagged':
      return view.flagged;
    case 'unresolved':
      return !view.resolved;
    case 'has_attachment':
      return view.has_attachments;
    default:
      throw new Error(`The model knows no ${name}`);
  }
}

const idsOf = (value: string | boolean) =>
  String(value)
    .split(',')
    .map((id) => id.trim().toLowerCase());

export const momentOf = (text: string, time_zone: string) =>
  text.length === 10 ? dayBegins(time_zone, Date.parse(text)) : Date.parse(text);

// --- Words.

const BASE: Record<string, string> = {
  é: 'e',
  è: 'e',
  ê: 'e',
  ü: 'u',
  û: 'u',
  ï: 'i',
  ç: 'c',
  ñ: 'n',
  å: 'a',
  ß: 'ss',
};

/** Letters and digits of the vocabulary, without case and accents. */
function wordsIn(text: string): string[] {
  const composed = text.toLowerCase().normalize('NFC');
  const plain = [...composed].map((letter) => BASE[letter] ?? letter).join('');
  return plain.split(/[^a-z0-9]+/).filter((word) => word !== '');
}

function matches(query: string, text: string): boolean {
  const [wanted, words] = [wordsIn(query), wordsIn(text)];
  return wanted.length > 0 && wanted.every((term) => words.some((word) => word.startsWith(term)));
}
