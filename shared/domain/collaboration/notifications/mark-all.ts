import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { below, either, missing, mustExist, type Table, update, type Write } from '#shared/table/table.ts';
import { readNow } from './mark-read.ts';
import { lastReadMoment, loadStoredMarks, putMoment, type StoredMarks } from './moments.ts';
import { createdAt, isRead, type Notification } from './notification.ts';
import { anyPointer } from './store.ts';
import { whatIsThere } from './there.ts';

/** Marks all notifications as read or seen. Each retry reads again. */

/** Notifications up to `since` are not new anyway. */
function seeNow(notification: Notification, since: number): Write[] {
  if (notification.seen || createdAt(notification) <= since) return [];
  const key = keys.notification(notification.user_id, notification.id);
  return [update<Notification>(key, { set: { seen: true }, when: mustExist })];
}

async function writeAll(table: Table, writes: Write[]): Promise<void> {
  const [first] = writes;
  // Without a transaction, at half the price.
  if (first && writes.length === 1 && 'put' in first) await table.put(first.put, first.when);
  else if (first) await table.transact(writes);
}

/**
 * Marks every notification read and none new, at the same small cost for any number: one new moment, and the recent
 * notifications. Writes nothing when all are read.
 */
export function markAllRead(table: Table, user_id: string, clock: () => Date): Promise<void> {
  return retryOnConflict(async () => {
    const now = clock();
    const [last, { recent, older }] = await Promise.all([
      lastReadMoment(table, user_id),
      whatIsThere(table, user_id, now),
    ]);
    const writes = recent.flatMap((each) =>
      isRead(each, { read: last }) ? seeNow(each, last) : readNow(each, now, { seen: true }),
    );
    if (older > last || (await anyPointer(table, keys.notificationUnread(user_id, last, '')))) {
      const moment = Math.max(older, last + 1);
      writes.push(putMoment(keys.notificationsRead(user_id, moment), moment, now));
    }
    await writeAll(table, writes);
  });
}

/** Marks every notification as seen: none is new any more. */
export function markViewed(table: Table, user_id: string, clock: () => Date): Promise<void> {
  return retryOnConflict(async () => {
    const [{ viewed = 0 }, { recent, older }] = await Promise.all([
      loadStoredMarks(table, user_id),
      whatIsThere(table, user_id, clock()),
    ]);
    const writes = recent.flatMap((each) => seeNow(each, viewed));
    if (older > viewed) {
      const ahead = { viewed: either<number>(missing, below(older)) };
      writes.push(
        update<StoredMarks>(keys.notificationMarks(user_id), { set: { viewed: older }, when: ahead }),
      );
    }
    await writeAll(table, writes);
  });
}
