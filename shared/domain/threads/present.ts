import type { Table } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { beginningOf } from '../html/cut.ts';
import { blockRemote } from '../html/remote.ts';
import type { ParsedBody } from '../mail/message.ts';
import type { Mailbox } from '../mailboxes/mailbox.ts';
import { presentTags, type TagDictionary, tagDictionary } from '../tags/store.ts';
import { ContactBook } from './contact-book.ts';
import { addressesOf, isSnoozed } from './entry.ts';
import type { Row } from './lists/criteria.ts';
import type { MessageRecord, OpenThreadRecord, ThreadRecord } from './record.ts';
import { readOwnMailboxes, sharesOf } from './sharing.ts';
import { summaryFor } from './summary.ts';
import type { Message, StoredAttachment, ThreadEntry } from './thread.ts';
import type { Viewer } from './visibility.ts';

/** Entries and messages in the shapes of the specification. */

function presentAttachment(attachment: StoredAttachment) {
  const dot = attachment.file_name.lastIndexOf('.');
  return {
    id: attachment.id,
    file_id: attachment.file_id,
    file: {
      id: attachment.file_id,
      name: attachment.file_name,
      file_name: attachment.file_name,
      extension: dot > 0 ? attachment.file_name.slice(dot + 1).toLowerCase() : null,
      description: null,
    },
    content_type: attachment.content_type,
    size: attachment.size,
    inline: attachment.inline,
    content_id: attachment.content_id,
    decorative: attachment.decorative,
  };
}

function presentMessage(message: Message, body: ParsedBody | undefined): MessageRecord {
  const addresses = (list: Message['to']) => list.map((address) => address.email_address);
  return {
    id: message.id,
    sent_at: new Date(message.sent).toISOString(),
    from_email_address: message.from?.email_address ?? null,
    to_email_addresses: addresses(message.to),
    cc_email_addresses: addresses(message.cc),
    participant_email_addresses: [...new Set(addresses(addressesOf(message)))],
    snippet: message.snippet,
    summary: null,
    attachments: message.attachments.map(presentAttachment),
    body: body ?? null,
  };
}

/** Bytes of all bodies of one answer: Lambda answers with 6 MB at most, and JSON adds to what it quotes. */
const BODIES_BYTES = 4 * 1024 * 1024;

const bytesOf = (body: ParsedBody) => Buffer.byteLength(JSON.stringify(body));

/** The beginning of every field. Bytes of UTF-8 are at most three for each character kept. */
function shorten(body: ParsedBody, bytes: number): ParsedBody {
  const characters = Math.floor(bytes / 5 / 3);
  const text = (value: string | null) => value && [...value.slice(0, characters)].join('').toWellFormed();
  const html = (value: string | null) => {
    if (value === null || value.length <= characters) return value;
    // A cut inside a tag would leave it open: the last whole tag, then whatever is open is closed.
    const whole = value.slice(0, value.lastIndexOf('<', characters));
    return beginningOf(whole, Number.MAX_SAFE_INTEGER);
  };
  return {
    ...body,
    sanitized_html: html(body.sanitized_html),
    new_plain_text: text(body.new_plain_text),
    new_html: html(body.new_html),
    quoted_plain_text: text(body.quoted_plain_text),
    quoted_html: html(body.quoted_html),
    truncated: true,
  };
}

/** Whether the HTML of a mail may load images from elsewhere, which tells their host who reads it, when and where. */
export const imageChoices = ['blocked', 'direct'] as const;
export type ImageChoice = (typeof imageChoices)[number];

function withoutRemote(body: ParsedBody): ParsedBody {
  const blocked = (html: string | null) => html && blockRemote(html);
  return {
    ...body,
    sanitized_html: blocked(body.sanitized_html),
    new_html: blocked(body.new_html),
    quoted_html: blocked(body.quoted_html),
  };
}

/** `messages` oldest first. The newest bodies are given in full; what no longer fits is cut and says so. */
export function presentMessages(
  messages: Message[],
  bodies: Map<string, ParsedBody>,
  images: ImageChoice,
): MessageRecord[] {
  let left = BODIES_BYTES;
  let behind = messages.length;
  const newestFirst = messages.toReversed().map((message) => {
    const stored = bodies.get(message.id);
    if (!stored) return presentMessage(message, undefined);
    const body = images === 'direct' ? stored : withoutRemote(stored);
    const share = Math.max(left - behind * 1_024, 1_024);
    const fitting = bytesOf(body) <= share ? body : shorten(body, share);
    left -= bytesOf(fitting);
    behind--;
    return presentMessage(message, fitting);
  });
  return newestFirst.reverse();
}

/** The mailboxes of an entry that the viewer has access to; a share tells nothing of the others. */
const ownMailboxes = (entry: ThreadEntry, viewer: Viewer) =>
  entry.mailbox_ids.filter((id) => Object.hasOwn(viewer.mailboxes, id));

/** What every thread and open-thread entry has. */
function presentCommon({ entry, thread }: Row, viewer: Viewer, now: Date) {
  const summary = summaryFor(viewer, thread);
  return {
    id: entry.thread_id,
    subject: entry.subject,
    snippet: entry.snippet,
    headline: summary?.headline ?? null,
    summary: summary?.summary ?? null,
    message_count: entry.message_count,
    has_attachments: entry.has_attachments,
    read: entry.unread === undefined,
    flagged: entry.flagged !== undefined,
    resolved: entry.resolved === true,
    snooze_until: (isSnoozed(entry, now) && entry.snooze_until) || null,
    mailbox_ids: ownMailboxes(entry, viewer),
    inbox_sort_time: entry.inbox_sort_time,
    first_sent_at: entry.first_sent_at,
    last_sent_at: entry.last_sent_at,
    participant_names: entry.participant_names,
  };
}

export function presentOpenEntry(row: Row, viewer: Viewer, now: Date): OpenThreadRecord {
  const { entry } = row;
  return {
    ...presentCommon(row, viewer, now),
    category: entry.category,
    sender_email_addresses: entry.sender_email_addresses,
    participant_email_addresses: Object.keys(entry.participant_names),
  };
}

/** What a list and a single thread have in common. `contacts` are the visible ones by address. */
export function presentEntry(
  row: Row,
  viewer: Viewer,
  now: Date,
  {
    tags,
    shares,
    contacts,
  }: Pick<ThreadRecord, 'tags' | 'shares'> & { contacts: ReadonlyMap<string, { id: string; name: string }> },
): ThreadRecord {
  const names = Object.entries(row.entry.participant_names);
  return {
    ...presentCommon(row, viewer, now),
    participants: Object.fromEntries(
      names.map(([address, name]) => [address, contacts.get(address) ?? name]),
    ),
    messages: [],
    tasks: null,
    comments: null,
    tags,
    shares,
    pending_messages: [],
  };
}

/** What the rows of a page have in common, read while the rows are found. */
export interface Surroundings {
  tags: Promise<TagDictionary>;
  mailboxes: Promise<Mailbox[]>;
  book: ContactBook;
}

export function readSurroundings(table: Table, caller: Caller): Surroundings {
  const tags = tagDictionary(table, caller.account.id);
  const mailboxes = readOwnMailboxes(table, caller);
  // A request that is refused before it needs them has nobody who waits for their failure.
  for (const reading of [tags, mailboxes]) reading.catch(() => undefined);
  return { tags, mailboxes, book: new ContactBook(table, caller) };
}

/** The rows of a list, without messages, tasks and comments. */
export async function presentRows(
  rows: Row[],
  viewer: Viewer,
  now: Date,
  around: Surroundings,
): Promise<ThreadRecord[]> {
  for (const { entry } of rows) around.book.ask(Object.keys(entry.participant_names));
  const [dictionary, mailboxes, contacts] = await Promise.all([
    around.tags,
    around.mailboxes,
    around.book.contacts(),
  ]);
  return rows.map(({ entry, thread }) =>
    presentEntry({ entry, thread }, viewer, now, {
      tags: presentTags(dictionary, thread.tag_ids ?? []),
      shares: sharesOf(thread, mailboxes),
      contacts,
    }),
  );
}
