import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Table, update, type Write } from '#shared/table/table.ts';
import { isRead, type Notification } from './notification.ts';
import { type Marked, requireNotification } from './policy.ts';
import { oldPointer, unchanged } from './store.ts';

/** Marks an unread notification read. */
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

/** A notification that is already read keeps its time. */
export function markRead(table: Table, user_id: string, id: string, now: Date): Promise<Marked> {
  return retryOnConflict(async () => {
    const found = await requireNotification(table, user_id, id);
    const { notification, moments } = found;
    if (isRead(notification, moments.marks)) return found;
    await table.transact(readNow(notification, now));
    return { notification: { ...notification, read_at: now.toISOString() }, moments };
  });
}
