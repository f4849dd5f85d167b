import { type Body, call } from './api.ts';
import { short } from './format.ts';
import { listPane } from './list.ts';
import type { Place } from './place.ts';
import { placeOf } from './place.ts';
import { nextOf, type Row } from './rows.ts';
import { threadKeys } from './thread-acts.ts';

/** The inbox and the other slices of threads. */

type Thread = Body<'listThreads'>['collection']['records'][number];

const SLICES = {
  inbox: 'Inbox',
  unread: 'Unread',
  flagged: 'Flagged',
  unresolved: 'Unresolved',
  awaiting: 'Awaiting a reply',
  unreplied: 'Not replied to',
  snoozed: 'Snoozed',
  today: 'Today',
  workweek: 'This work week',
  has_attachment: 'With attachments',
  'pinned-contacts': 'Of pinned contacts',
  shared: 'Shared',
};

const marksOf = ({ flagged, resolved, snooze_until, has_attachments, tags }: Thread): string[] => [
  ...(flagged ? ['Flagged'] : []),
  ...(resolved ? ['Resolved'] : []),
  ...(snooze_until ? [`Snoozed until ${short(snooze_until)}`] : []),
  ...(has_attachments ? ['Attachment'] : []),
  ...(tags ?? []).map(({ name }) => name),
];

function threadRow(thread: Thread, query: Place['query']): Row {
  const { id, subject, snippet, last_message, last_sent_at, message_count } = thread;
  const from = last_message?.from_name ?? last_message?.from_email_address ?? 'Unknown sender';
  return {
    id,
    href: placeOf({ section: 'threads', id, query }),
    from: message_count && message_count > 1 ? `${from} (${message_count})` : from,
    ...(last_sent_at ? { when: short(last_sent_at) } : {}),
    title: subject || 'No subject',
    below: [snippet],
    marks: marksOf(thread),
    unread: !thread.read,
  };
}

/** `changed` refreshes what else shows the thread. */
export function threadList(place: Place, changed: () => unknown) {
  const threads = new Map<string, Thread>();
  const { slice = 'inbox', ...query } = place.query;
  // Threads of one record are all of them, not only those of the inbox.
  const sent = query.contact_id || query.organization_id || query.query ? place.query : { ...query, slice };
  return listPane({
    title: 'Threads',
    place,
    slices: sent.slice ? SLICES : { '': 'All', ...SLICES },
    search: 'query',
    empty: 'No threads here.',
    load: async (more) => {
      const { collection } = await call<'listThreads'>('GET', '/threads', { ...sent, ...more, limit: 30 });
      for (const thread of collection.records) threads.set(thread.id, thread);
      return {
        rows: collection.records.map((thread) => threadRow(thread, place.query)),
        next: nextOf(collection),
      };
    },
    rowKeys: (id) => {
      const thread = threads.get(id);
      return thread ? threadKeys(thread, changed) : {};
    },
  });
}
