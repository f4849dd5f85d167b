import { act } from './act.ts';
import { type Body, call } from './api.ts';
import { button } from './dom.ts';
import { short, words } from './format.ts';
import { listPane } from './list.ts';
import { nameOf } from './pane.ts';
import { type Place, placeOfRecord } from './place.ts';
import { nextOf, type Row } from './rows.ts';

/** What the user is notified of. Opening one marks it as read. */

type Notification = Body<'listNotifications'>['collection']['records'][number];

/** What payloads have in common (docs/specification/notifications.md). */
interface Payload {
  id?: string;
  record_type?: string;
  name?: string;
  subject?: string;
  comment?: { snippet?: string };
}

const PHRASES: Record<string, string> = {
  comment_added: 'commented',
  comment_mentioned: 'mentioned you',
  task_assigned: 'assigned a task to you',
  deal_assigned: 'assigned a deal to you',
  deal_won: 'won a deal',
  deal_stage_moved: 'moved a deal',
  interaction_share_requested: 'asks for access',
  draft_failed: 'A draft could not be sent',
  task_reminder: 'Reminder of a task',
  calendar_event_reminder: 'Reminder of an event',
  proposal_created: 'New proposal',
  proposal_applied: 'A proposal was applied',
};

const phraseOf = (event: string) =>
  PHRASES[event] ??
  (event.endsWith('_shared') ? `shared a ${words(event.replace(/_shared$/, ''))} with you` : words(event));

const setRead = (id: string, read: boolean) =>
  read
    ? call<'markNotificationRead'>('POST', `/notifications/${id}/read`)
    : call<'markNotificationUnread'>('POST', `/notifications/${id}/unread`);

/** Who did it: a colleague, the assistant, or nobody. */
function sentence(phrase: string, user_id: string | null, event: Notification['event']): string {
  if (user_id) return `${nameOf(user_id)} ${phrase}`;
  return event === 'comment_added'
    ? `The assistant ${phrase}`
    : phrase.replace(/^./, (letter) => letter.toUpperCase());
}

function rowOf({ id, event, payload, prompting_user_id, read_at, created_at }: Notification): Row {
  const { id: record_id, record_type, name, subject, comment } = (payload ?? {}) as Payload;
  const phrase = phraseOf(event ?? 'notification');
  return {
    id,
    href: placeOfRecord(record_type, record_id),
    from: sentence(phrase, prompting_user_id, event),
    title: subject ?? name ?? '',
    below: [comment?.snippet],
    unread: read_at === null,
    ...(created_at ? { when: short(created_at) } : {}),
    // A key that may only read opens it all the same.
    ...(read_at === null ? { onopen: () => void setRead(id, true).catch(() => {}) } : {}),
  };
}

export function notificationList(place: Place, changed: () => unknown) {
  const known = new Map<string, Notification>();
  const { slice, ...query } = place.query;
  const readAll = async () => {
    if (await act('All are read.', () => call<'markAllNotificationsRead'>('POST', '/notifications/read')))
      changed();
  };
  return listPane({
    title: 'Notifications',
    place,
    slices: { '': 'All', unread: 'Unread' },
    tools: [button('Mark all as read', readAll)],
    empty: 'No notifications.',
    load: async (more) => {
      const { collection } = await call<'listNotifications'>('GET', '/notifications', {
        ...query,
        status: slice,
        ...more,
      });
      for (const each of collection.records) known.set(each.id, each);
      return { rows: collection.records.map(rowOf), next: nextOf(collection) };
    },
    rowKeys: (id) => {
      const unread = known.get(id)?.read_at === null;
      const done = unread ? 'Marked as read.' : 'Marked as unread.';
      const press = async () => (await act(done, () => setRead(id, unread))) && changed();
      return { m: { label: 'mark as read or unread', press } };
    },
  });
}
