import { isChosen } from '#shared/domain/collaboration/notifications/choice.ts';
import { listNotifications } from '#shared/domain/collaboration/notifications/list.ts';
import { loadMarks, momentsOf } from '#shared/domain/collaboration/notifications/moments.ts';
import {
  type Notification,
  presentNotification,
} from '#shared/domain/collaboration/notifications/notification.ts';
import type { SocketMessage } from '#shared/domain/identity/sockets/message.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The newest unread notifications that are counted: more than people look at. */
const COUNTED = 1_000;

/** How many of a user's newest 1,000 unread notifications are of each event; events with none are left out. */
async function unreadCounts(table: Table, user_id: string): Promise<Record<string, number>> {
  const choice = { events: undefined, unread: true };
  const { notifications } = await listNotifications(table, user_id, choice, {
    limit: COUNTED,
    after: undefined,
  });
  const byEvent = Map.groupBy(notifications, ({ event }) => event);
  return Object.fromEntries([...byEvent].map(([event, found]) => [event, found.length]));
}

/** New ones that are listed, as the list shows them, oldest first. */
async function created(table: Table, user_id: string, ids: readonly string[]): Promise<SocketMessage[]> {
  if (ids.length === 0) return [];
  const [found, marks] = await Promise.all([
    table.getMany<Notification>(ids.map((id) => keys.notification(user_id, id))),
    loadMarks(table, user_id),
  ]);
  const listed = found.filter((each) => isChosen(each, { events: undefined, unread: false }, marks));
  const moments = await momentsOf(table, user_id, listed, marks);
  return listed
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((each) => ({ type: 'notification.created', data: presentNotification(each, moments) }));
}

/** What a user is told when notifications came, or were read or dismissed. */
export async function notificationMessages(
  table: Table,
  user_id: string,
  ids: readonly string[],
): Promise<SocketMessage[]> {
  const [messages, unread_counts] = await Promise.all([
    created(table, user_id, ids),
    unreadCounts(table, user_id),
  ]);
  return [...messages, { type: 'notification.counts', data: { unread_counts } }];
}
