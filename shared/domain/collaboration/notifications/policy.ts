import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { loadMarks, momentsOf } from './moments.ts';
import type { Moments, Notification } from './notification.ts';

/** Users see only their own notifications. */

/** A notification, with the moments that decide its states. */
export interface Marked {
  notification: Notification;
  moments: Moments;
}

/** 404 when it is not the user's. */
export function requireSent(notification: Notification | undefined): Notification {
  if (!notification) throw recordNotFound();
  return notification;
}

/** 404 when it is not the user's. */
export async function requireNotification(table: Table, user_id: string, id: string): Promise<Marked> {
  const [notification, marks] = await Promise.all([
    table.get<Notification>(keys.notification(user_id, id)),
    loadMarks(table, user_id),
  ]);
  const sent = requireSent(notification);
  return { notification: sent, moments: await momentsOf(table, user_id, [sent], marks) };
}
