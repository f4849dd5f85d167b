import { begun } from '#shared/begun.ts';
import type { KnowsContacts } from '#shared/domain/collaboration/records/contact-book.ts';
import { SHARES_IN_LISTS } from '#shared/domain/collaboration/shares/share.ts';
import { presentTags, type TagDictionary, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { presentDelivery } from '#shared/domain/mail/bounces/delivery.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { ContactLookup } from './contact-lookup.ts';
import { addressesOf, isSnoozed } from './entry.ts';
import type { Row } from './lists/criteria.ts';
import { SHOWN, shownParticipants } from './participants.ts';
import type { Viewer } from './policy.ts';
import {
  type MessageRecord,
  messages,
  type OpenThreadRecord,
  openThreads,
  type ThreadRecord,
  threads,
} from './schema.ts';
import { readOwnMailboxes, sharesOf } from './sharing.ts';
import { summaryFor } from './summary.ts';
import type { Message, StoredAttachment, ThreadEntry } from './thread.ts';

/** Entries and messages as returned. */

export function presentAttachment(attachment: StoredAttachment) {
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

/** Without its body. */
export function presentMessage(message: Message): MessageRecord {
  const addresses = (list: Message['to']) => list.map((address) => address.email_address);
  return messages.present(message, {
    sent_at: new Date(message.sent).toISOString(),
    from_email_address: message.from?.email_address ?? null,
    to_email_addresses: addresses(message.to),
    cc_email_addresses: addresses(message.cc),
    participant_email_addresses: [...new Set(addresses(addressesOf(message)))],
    summary: null,
    attachments: message.attachments.map(presentAttachment),
    delivery: presentDelivery(message.undelivered),
    body: null,
  });
}

/** The mailboxes of an entry that the viewer has access to; a share does not reveal the others. */
const ownMailboxes = (entry: ThreadEntry, viewer: Viewer) =>
  entry.mailbox_ids.filter((id) => Object.hasOwn(viewer.mailboxes, id));

/** Who wrote last, without the message itself. */
function presentLast({ last_message: last, last_sent_at }: ThreadEntry): ThreadRecord['last_message'] {
  if (!last) return null;
  const { email_address = null, name = null } = last.from ?? {};
  return { id: last.id, sent_at: last_sent_at, from_email_address: email_address, from_name: name };
}

/** The fields of every thread and open-thread entry that the entry does not store as they are shown. */
function presentCommon(
  { entry, thread }: Row,
  viewer: Viewer,
  now: Date,
  participant_names: ThreadEntry['participant_names'],
) {
  const summary = summaryFor(viewer, thread);
  return {
    id: entry.thread_id,
    headline: summary?.headline ?? null,
    summary: summary?.summary ?? null,
    read: entry.unread === undefined,
    flagged: entry.flagged !== undefined,
    resolved: entry.resolved === true,
    snooze_until: (isSnoozed(entry, now) && entry.snooze_until) || null,
    mailbox_ids: ownMailboxes(entry, viewer),
    last_message: presentLast(entry),
    participant_names,
  };
}

/** With at most this many participants and senders. */
function presentOpenEntry(row: Row, viewer: Viewer, now: Date, most: number): OpenThreadRecord {
  const { entry } = row;
  const names = shownParticipants(entry, most);
  return openThreads.present(entry, {
    ...presentCommon(row, viewer, now, names),
    sender_email_addresses: entry.sender_email_addresses.slice(0, most),
    participant_email_addresses: Object.keys(names),
  });
}

/** Bytes of the participants of all open threads: when the newest have used them, each other thread names one. */
const PARTICIPANTS_BYTES = 10 * 1024 * 1024;

export function presentOpen(rows: Row[], viewer: Viewer, now: Date): OpenThreadRecord[] {
  let left = PARTICIPANTS_BYTES;
  return rows.map((row) => {
    const record = presentOpenEntry(row, viewer, now, left > 0 ? SHOWN.in_lists : 1);
    left -= Buffer.byteLength(JSON.stringify(record.participant_names));
    return record;
  });
}

/** The fields that lists and a single thread have in common. `contacts` are the visible ones of `names`, by address. */
export function presentEntry(
  row: Row,
  viewer: Viewer,
  now: Date,
  {
    names,
    tags,
    shares,
    contacts,
  }: Pick<ThreadRecord, 'tags' | 'shares'> & {
    names: ThreadEntry['participant_names'];
    contacts: ReadonlyMap<string, { id: string; name: string }>;
  },
): ThreadRecord {
  return threads.present(row.entry, {
    ...presentCommon(row, viewer, now, names),
    participants: Object.fromEntries(
      Object.entries(names).map(([address, name]) => [address, contacts.get(address) ?? name]),
    ),
    participant_list: Object.entries(names).map(([email_address, name]) => ({
      ...{ email_address, name, contact: contacts.get(email_address) ?? null },
    })),
    messages: [],
    tasks: null,
    comments: null,
    tags,
    shares,
    pending_messages: [],
  });
}

/** Data for all rows of a page, read while the rows are found. */
export interface Surroundings {
  tags: Promise<TagDictionary>;
  mailboxes: Promise<Mailbox[]>;
  book: ContactLookup;
}

export function readSurroundings(ctx: CallerContext<KnowsContacts>): Surroundings {
  const { table } = ctx;
  return {
    tags: begun(tagDictionary(table, ctx.caller.account.id)),
    mailboxes: begun(readOwnMailboxes(table, ctx.caller)),
    book: new ContactLookup(ctx),
  };
}

/** The rows of a list, without messages, tasks and comments. */
export async function presentRows(
  rows: Row[],
  viewer: Viewer,
  now: Date,
  around: Surroundings,
): Promise<ThreadRecord[]> {
  const shown = rows.map(({ entry }) => shownParticipants(entry, SHOWN.in_lists));
  around.book.ask(shown.flatMap((names) => Object.keys(names)));
  const [dictionary, mailboxes, contacts] = await Promise.all([
    around.tags,
    around.mailboxes,
    around.book.contacts(),
  ]);
  return rows.map(({ entry, thread }, i) =>
    presentEntry({ entry, thread }, viewer, now, {
      names: shown[i] ?? {},
      tags: presentTags(dictionary, thread.tag_ids ?? []),
      shares: sharesOf(thread, mailboxes, SHARES_IN_LISTS),
      contacts,
    }),
  );
}
