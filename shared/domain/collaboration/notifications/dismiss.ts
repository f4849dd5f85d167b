import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { asRead, type Table, update, type Write } from '#shared/table/table.ts';
import type { NotificationEvent } from './event.ts';
import { loadStoredMarks, putMoment, type StoredMarks } from './moments.ts';
import { type Dismissals, isListed, lastDismissal, type Notification } from './notification.ts';
import { type Marked, requireNotification, requireSent } from './policy.ts';
import { anyPointer, type Pointer, unchanged } from './store.ts';
import { whatIsThere } from './there.ts';

/** Dismisses some notifications, all of some events, or all. They stay read or unread. */

const never: Dismissals = { all: 0 };

/** For listed notifications. */
function dismissNow(notification: Notification, now: Date): Write {
  return update<Notification>(keys.notification(notification.user_id, notification.id), {
    set: { dismissed_at: now.toISOString() },
    when: unchanged(notification, 'dismissed_at', 'listed_since'),
  });
}

/** Ignores ids that are not the user's notifications. Returns those that were found. One transaction: 100 at most. */
export function dismissByIds(
  table: Table,
  user_id: string,
  ids: string[],
  now: Date,
): Promise<Notification[]> {
  return retryOnConflict(async () => {
    const [found, { dismissed = never }] = await Promise.all([
      table.getMany<Notification>(ids.map((id) => keys.notification(user_id, id))),
      loadStoredMarks(table, user_id),
    ]);
    const listed = found.filter((notification) => isListed(notification, { dismissed }));
    await table.transact(listed.map((notification) => dismissNow(notification, now)));
    return found;
  });
}

/** 404 when it is not the user's. A notification that is already dismissed keeps its time. */
export async function dismissOne(table: Table, user_id: string, id: string, now: Date): Promise<void> {
  const [found] = await dismissByIds(table, user_id, [id], now);
  requireSent(found);
}

/** A new moment for the events, or for all of them, later than all existing moments. */
function dismissUntil(
  user_id: string,
  {
    was,
    events,
    older,
  }: { was: Dismissals | undefined; events: NotificationEvent[] | undefined; older: number },
  now: Date,
): Write[] {
  const moment = Math.max(older, Math.max(...Object.values(was ?? never)) + 1);
  const scopes = events ?? ['all' as const];
  const dismissed = {
    ...(events ? (was ?? never) : never),
    ...Object.fromEntries(scopes.map((each) => [each, moment])),
  };
  return [
    update<StoredMarks>(keys.notificationMarks(user_id), {
      set: { dismissed },
      when: { dismissed: asRead(was) },
    }),
    ...scopes.map((each) => putMoment(keys.notificationsDismissed(user_id, each, moment), moment, now)),
  ];
}

/**
 * Dismisses all notifications of the events, or all, at the same small cost for any number: one new moment, and the
 * recent notifications. Each retry reads again. Writes nothing when there is nothing to dismiss.
 */
export function dismissAll(
  table: Table,
  user_id: string,
  events: NotificationEvent[] | undefined,
  clock: () => Date,
): Promise<void> {
  return retryOnConflict(async () => {
    const now = clock();
    const [{ dismissed: was }, { recent, older }] = await Promise.all([
      loadStoredMarks(table, user_id),
      whatIsThere(table, user_id, now),
    ]);
    const dismissed = was ?? never;
    const writes = recent
      .filter((each) => (events?.includes(each.event) ?? true) && isListed(each, { dismissed }))
      .map((each) => dismissNow(each, now));
    const covered = events
      ? Math.min(...events.map((each) => lastDismissal(dismissed, each)))
      : dismissed.all;
    const listed = keys.notificationListed(user_id, dismissed.all, '');
    if (older > covered || (await anyPointer(table, listed)))
      writes.push(...dismissUntil(user_id, { was, events, older }, now));
    await table.transact(writes);
  });
}

/**
 * A listed notification stays as it is. Dismissing it again leaves its pointer: a notification has one at most, and
 * tells itself whether it is listed.
 */
export function undismiss(table: Table, user_id: string, id: string): Promise<Marked> {
  return retryOnConflict(async () => {
    const found = await requireNotification(table, user_id, id);
    const { notification, moments } = found;
    const { dismissed } = moments.marks;
    if (isListed(notification, moments.marks)) return found;
    const last = lastDismissal(dismissed, notification.event);
    const older = Date.parse(notification.created_at) <= last;
    const pointer: Pointer = { ...keys.notificationListed(user_id, dismissed.all, id), notification_id: id };
    await table.transact([
      update<Notification>(keys.notification(user_id, id), {
        set: { listed_since: older ? last : undefined },
        remove: ['dismissed_at'],
        when: unchanged(notification, 'dismissed_at', 'listed_since'),
      }),
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
