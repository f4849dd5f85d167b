import { recordNotFound } from '../../errors.ts';
import { keys } from '../../table/keys.ts';
import type { Table, Write } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import type { NotificationEvent } from './event.ts';
import { loadStoredMarks, momentItem } from './moments.ts';
import { type Dismissals, isListed, lastDismissal, type Notification } from './notification.ts';
import {
  anyPointer,
  type Marked,
  newestMoment,
  type Pointer,
  requireNotification,
  unchanged,
} from './store.ts';

/** Dismissing some notifications, all of some events, or all. Whether they are read stays as it is. */

const never: Dismissals = { all: 0 };

/** Ids of nothing that the user was sent are ignored. Gives how many were found. One transaction: 100 at most. */
export function dismissByIds(table: Table, user_id: string, ids: string[], now: Date): Promise<number> {
  return untilUnchanged(async () => {
    const [found, { dismissed = never }] = await Promise.all([
      table.getMany<Notification>(ids.map((id) => keys.notification(user_id, id))),
      loadStoredMarks(table, user_id),
    ]);
    const writes = found
      .filter((notification) => isListed(notification, { dismissed }))
      .map((notification): Write => {
        const { condition, values } = unchanged(notification, ['dismissed_at', 'listed_since']);
        const update = 'SET dismissed_at = :now';
        const key = keys.notification(user_id, notification.id);
        return { key, update: { update, condition, values: { ...values, ':now': now.toISOString() } } };
      });
    if (writes.length > 0) await table.transact(writes);
    return found.length;
  });
}

/** 404 when the user was not sent it. Already dismissed, it keeps the moment at which it was. */
export async function dismissOne(table: Table, user_id: string, id: string, now: Date): Promise<void> {
  if ((await dismissByIds(table, user_id, [id], now)) === 0) throw recordNotFound();
}

/**
 * Dismisses all notifications of the events, or all, at the same small cost for any number of them: one more moment,
 * after all that is there. Nothing is written when there is nothing that it could dismiss.
 */
export function dismissAll(
  table: Table,
  user_id: string,
  events: NotificationEvent[] | undefined,
  now: Date,
): Promise<void> {
  return untilUnchanged(async () => {
    const [stored, newest] = await Promise.all([
      loadStoredMarks(table, user_id),
      newestMoment(table, user_id),
    ]);
    const was = stored.dismissed ?? never;
    const covered = events ? Math.min(...events.map((event) => lastDismissal(was, event))) : was.all;
    if (newest <= covered && !(await anyPointer(table, keys.notificationListed(user_id, was.all, ''))))
      return;
    const moment = Math.max(now.getTime(), newest, Math.max(...Object.values(was)) + 1);
    const scopes = events ?? ['all' as const];
    const dismissed = {
      ...(events ? was : never),
      ...Object.fromEntries(scopes.map((each) => [each, moment])),
    };
    const condition = stored.dismissed ? 'dismissed = :was' : 'attribute_not_exists(dismissed)';
    const values = { ':dismissed': dismissed, ...(stored.dismissed ? { ':was': was } : {}) };
    await table.transact([
      {
        key: keys.notificationMarks(user_id),
        update: { update: 'SET dismissed = :dismissed', condition, values },
      },
      ...scopes.map((each) => ({
        put: momentItem(keys.notificationsDismissed(user_id, each, moment), moment),
      })),
    ]);
  });
}

/**
 * One that is listed stays as it is. Its pointer is not removed when it is dismissed again: there is one at most for a
 * notification, and the notification itself says whether it is listed.
 */
export function undismiss(table: Table, user_id: string, id: string): Promise<Marked> {
  return untilUnchanged(async () => {
    const found = await requireNotification(table, user_id, id);
    const { notification, moments } = found;
    const { dismissed } = moments.marks;
    if (isListed(notification, moments.marks)) return found;
    const last = lastDismissal(dismissed, notification.event);
    const older = Date.parse(notification.created_at) <= last;
    const { condition, values } = unchanged(notification, ['dismissed_at', 'listed_since']);
    const update = older
      ? {
          update: 'SET listed_since = :since REMOVE dismissed_at',
          condition,
          values: { ...values, ':since': last },
        }
      : { update: 'REMOVE dismissed_at', condition, values };
    const pointer: Pointer = { ...keys.notificationListed(user_id, dismissed.all, id), notification_id: id };
    await table.transact([
      { key: keys.notification(user_id, id), update },
      ...(older ? [{ put: pointer }] : []),
    ]);
    const { dismissed_at: _, ...listed } = notification;
    const since = older ? { listed_since: last } : {};
    return {
      notification: { ...(listed as Notification), ...since },
      moments: { ...moments, firstDismissal: () => undefined },
    };
  });
}
