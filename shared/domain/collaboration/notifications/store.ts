import { type Key, keys } from '#shared/table/keys.ts';
import { type AllOf, asRead, type Item, present, type Table, type Write } from '#shared/table/table.ts';
import type { Notification } from './notification.ts';

/** Marks a notification as unread or listed that older moments would hide, so that it is found without a search. */
export type Pointer = Item & { notification_id: string };

/** No other request has changed these fields meanwhile. */
export function unchanged(
  notification: Notification,
  ...names: ('read_at' | 'unread_since' | 'dismissed_at' | 'listed_since')[]
): AllOf<Notification> {
  const same = Object.fromEntries(names.map((name) => [name, asRead(notification[name])]));
  return { PK: present, ...same };
}

/** Removes the pointer of the last change. */
export function oldPointer({ user_id, id, unread_since }: Notification): Write[] {
  return unread_since === undefined ? [] : [{ delete: keys.notificationUnread(user_id, unread_since, id) }];
}

/** Whether a pointer has this key prefix. */
export async function anyPointer(table: Table, { PK, SK }: Key): Promise<boolean> {
  const page = await table.query({
    partition: PK,
    sort: { begins: SK },
    limit: 1,
  });
  return page.items.length > 0;
}
