import { recordNotFound } from '#shared/errors.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  type AllOf,
  asRead,
  type Item,
  present,
  type Table,
  update,
  type Write,
} from '#shared/table/table.ts';
import { loadMarks, momentsOf } from './moments.ts';
import { isRead, type Moments, type Notification } from './notification.ts';

/** A notification with what tells its states. */
export interface Marked {
  notification: Notification;
  moments: Moments;
}

/** Says that a notification is unread or listed that older moments hide, so that it is found without a search. */
export type Pointer = Item & { notification_id: string };

/** 404 when the user was not sent it. */
export async function requireNotification(table: Table, user_id: string, id: string): Promise<Marked> {
  const [notification, marks] = await Promise.all([
    table.get<Notification>(keys.notification(user_id, id)),
    loadMarks(table, user_id),
  ]);
  if (!notification) throw recordNotFound();
  return { notification, moments: await momentsOf(table, user_id, [notification], marks) };
}

/** Another request has not changed these meanwhile. */
export function unchanged(
  notification: Notification,
  ...names: ('read_at' | 'unread_since' | 'dismissed_at' | 'listed_since')[]
): AllOf<Notification> {
  const same = Object.fromEntries(names.map((name) => [name, asRead(notification[name])]));
  return { PK: present, ...same };
}

/** The pointer that its last change left, to be removed by the next. */
function oldPointer({ user_id, id, unread_since }: Notification): Write[] {
  return unread_since === undefined ? [] : [{ delete: keys.notificationUnread(user_id, unread_since, id) }];
}

/** Reads one that is unread. */
export function readNow(notification: Notification, now: Date, also: Partial<Notification> = {}): Write[] {
  const { user_id, id } = notification;
  return [
    update<Notification>(keys.notification(user_id, id), {
      set: { read_at: now.toISOString(), ...also },
      remove: ['unread_since'],
      when: unchanged(notification, 'read_at', 'unread_since'),
    }),
    ...oldPointer(notification),
  ];
}

/** Already read, it keeps the moment at which it was. */
export function markRead(table: Table, user_id: string, id: string, now: Date): Promise<Marked> {
  return retryOnConflict(async () => {
    const found = await requireNotification(table, user_id, id);
    const { notification, moments } = found;
    if (isRead(notification, moments.marks)) return found;
    await table.transact(readNow(notification, now));
    return { notification: { ...notification, read_at: now.toISOString() }, moments };
  });
}

export function markUnread(table: Table, user_id: string, id: string): Promise<Marked> {
  return retryOnConflict(async () => {
    const found = await requireNotification(table, user_id, id);
    const { notification, moments } = found;
    if (!isRead(notification, moments.marks)) return found;
    const { read_at: _, ...unread } = notification;
    const last = moments.marks.read;
    const older = Date.parse(notification.created_at) <= last;
    const pointer: Pointer = { ...keys.notificationUnread(user_id, last, id), notification_id: id };
    await table.transact([
      update<Notification>(keys.notification(user_id, id), {
        set: { unread_since: older ? last : undefined },
        remove: ['read_at'],
        when: unchanged(notification, 'read_at', 'unread_since'),
      }),
      ...oldPointer(notification),
      ...(older ? [{ put: pointer }] : []),
    ]);
    const since = older ? { unread_since: last } : {};
    return { notification: { ...(unread as Notification), ...since }, moments };
  });
}

/** Whether there is a pointer whose key begins so. */
export async function anyPointer(table: Table, { PK, SK }: Key): Promise<boolean> {
  const page = await table.query({
    partition: PK,
    sort: { begins: SK },
    limit: 1,
  });
  return page.items.length > 0;
}
