import { recordNotFound } from '../../errors.ts';
import { keys } from '../../table/keys.ts';
import type { Condition, Item, Table, Write } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import { lastReadMoment, type ReadMark, readMoments } from './moments.ts';
import { type Notification, type ReadMoments, readAt } from './notification.ts';

/** A notification with what tells whether it is read. */
export interface Marked {
  notification: Notification;
  moments: ReadMoments;
}

/** Says that a notification older than the last moment is unread, so that unread ones are found without a search. */
export type UnreadPointer = Item & { notification_id: string };

/** 404 when the user was not sent it. */
async function requireNotification(table: Table, user_id: string, id: string): Promise<Marked> {
  const [notification, last] = await Promise.all([
    table.get<Notification>(keys.notification(user_id, id)),
    lastReadMoment(table, user_id),
  ]);
  if (!notification) throw recordNotFound();
  return { notification, moments: await readMoments(table, user_id, [notification], last) };
}

/** It was not marked by another request meanwhile. */
function unchanged({ read_at, unread_since }: Notification): Condition & { values: Record<string, unknown> } {
  const read = read_at === undefined ? 'attribute_not_exists(read_at)' : 'read_at = :was_read';
  const since =
    unread_since === undefined ? 'attribute_not_exists(unread_since)' : 'unread_since = :was_since';
  const values = {
    ...(read_at === undefined ? {} : { ':was_read': read_at }),
    ...(unread_since === undefined ? {} : { ':was_since': unread_since }),
  };
  return { condition: `attribute_exists(PK) AND ${read} AND ${since}`, values };
}

/** The pointer that its last change left, to be removed by the next. */
function oldPointer({ user_id, id, unread_since }: Notification): Write[] {
  return unread_since === undefined ? [] : [{ delete: keys.notificationUnread(user_id, unread_since, id) }];
}

/** Already read, it keeps the moment at which it was. */
export function markRead(table: Table, user_id: string, id: string, now: Date): Promise<Marked> {
  return untilUnchanged(async () => {
    const found = await requireNotification(table, user_id, id);
    const { notification, moments } = found;
    if (readAt(notification, moments) !== null) return found;
    const read_at = now.toISOString();
    const { condition, values } = unchanged(notification);
    const update = {
      update: 'SET read_at = :now REMOVE unread_since',
      condition,
      values: { ...values, ':now': read_at },
    };
    const write: Write = { key: keys.notification(user_id, id), update };
    await table.transact([write, ...oldPointer(notification)]);
    return { notification: { ...notification, read_at }, moments };
  });
}

export function markUnread(table: Table, user_id: string, id: string): Promise<Marked> {
  return untilUnchanged(async () => {
    const found = await requireNotification(table, user_id, id);
    const { notification, moments } = found;
    if (readAt(notification, moments) === null) return found;
    const { read_at: _, ...unread } = notification;
    const older = Date.parse(notification.created_at) <= moments.last;
    const { condition, values } = unchanged(notification);
    const update = older
      ? {
          update: 'SET unread_since = :since REMOVE read_at',
          condition,
          values: { ...values, ':since': moments.last },
        }
      : { update: 'REMOVE read_at', condition, values };
    const pointer: UnreadPointer = {
      ...keys.notificationUnread(user_id, moments.last, id),
      notification_id: id,
    };
    await table.transact([
      { key: keys.notification(user_id, id), update },
      ...oldPointer(notification),
      ...(older ? [{ put: pointer }] : []),
    ]);
    const since = older ? { unread_since: moments.last } : {};
    return { notification: { ...(unread as Notification), ...since }, moments };
  });
}

async function newestNotification(table: Table, user_id: string): Promise<Notification | undefined> {
  const { PK, SK } = keys.notification(user_id, '');
  const page = await table.query<Notification>({
    where: 'PK = :partition AND begins_with(SK, :prefix)',
    values: { ':partition': PK, ':prefix': SK },
    newest_first: true,
    limit: 1,
  });
  return page.items[0];
}

async function anyMarkedUnread(table: Table, user_id: string, last: number): Promise<boolean> {
  const { PK, SK } = keys.notificationUnread(user_id, last, '');
  const page = await table.query({
    where: 'PK = :partition AND begins_with(SK, :prefix)',
    values: { ':partition': PK, ':prefix': SK },
    limit: 1,
  });
  return page.items.length > 0;
}

/**
 * Marks every notification read and none new, at the same small cost for any number of them: one more moment. It comes
 * after all that is there, whatever the clock of the machine that wrote it. Nothing is written when all is read.
 */
export async function markAllRead(table: Table, user_id: string, now: Date): Promise<void> {
  const [last, newest] = await Promise.all([
    lastReadMoment(table, user_id),
    newestNotification(table, user_id),
  ]);
  const arrived = newest ? Date.parse(newest.created_at) : 0;
  if (arrived <= last && !(await anyMarkedUnread(table, user_id, last))) return;
  const moment = Math.max(now.getTime(), arrived, last + 1);
  const mark: ReadMark = { ...keys.notificationsRead(user_id, moment), moment };
  await table.put(mark);
}
