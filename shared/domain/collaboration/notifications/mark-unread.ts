import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Table, update } from '#shared/table/table.ts';
import { isRead, type Notification } from './notification.ts';
import { type Marked, requireNotification } from './policy.ts';
import { oldPointer, type Pointer, unchanged } from './store.ts';

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
