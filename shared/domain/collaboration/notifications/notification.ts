import * as z from 'zod';
import { newId } from '#shared/ids.ts';
import { apart, derived, given, narrower, resource, type StoredFields } from '#shared/resource.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item, Write } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { type NotificationEvent, notificationEvents } from './event.ts';

const examplePayload = {
  id: '0198c0de-0000-7000-8000-000000000003',
  record_type: 'thread',
  subject: 'Winter timetable',
  comment: {
    id: '0198c0de-0000-7000-8000-000000000002',
    parent_comment_id: null,
    user_id: '0198c0de-0000-7000-8000-000000000001',
    snippet: 'Can you call them, Grace?',
    created_at: '2026-11-20T09:30:00.000Z',
  },
};

const event = z.enum(notificationEvents);
const payload = z.record(z.string(), z.unknown());

const notifications = resource('Notification', {
  id: given(uuid),
  event: narrower(event.nullable().meta({ example: 'comment_added' }), event),
  // The record as it was at the event.
  payload: narrower(
    payload.nullable().meta({
      description:
        'The record as it was: `id`, `record_type`, a `name` or `subject`, and the `comment`, the `share`, the `reminder`, the `email_address` of a mailbox or the move (`from_stage`, `to_stage`) it is about',
      example: examplePayload,
    }),
    payload,
  ),
  prompting_user_id: given(uuid.nullable()),
  new: derived(z.boolean()),
  read_at: apart(given(timestamp.nullable())),
  dismissed_at: apart(given(timestamp.nullable().meta({ example: null }))),
  created_at: narrower(timestamp.nullable(), timestamp),
});

/**
 * A notification as stored. Whether it is read and listed depends on changes of this notification alone, stored here,
 * and on the moments at which its user marked all read or dismissed all, stored as items of their own. So marking all
 * costs the same for any number.
 */
export type Notification = Item &
  StoredFields<typeof notifications.fields> & {
    user_id: string;
    /** When this notification was marked read by itself. */
    read_at?: string;
    /** It existed when its user marked all read or opened the notifications: it is not new. */
    seen?: true;
    /** Milliseconds. The last moment of marking all read when this notification was marked unread. */
    unread_since?: number;
    /** When this notification was dismissed by itself. */
    dismissed_at?: string;
    /** Milliseconds. The last moment of dismissing all of its event when this notification was undismissed. */
    listed_since?: number;
  };

/** docs/specification/notifications.md, "Notification". */
export const notificationSchema = notifications.response;

export type NotificationDraft = Pick<Notification, 'user_id' | 'event' | 'payload' | 'prompting_user_id'>;

/** Its id, and so its key, sorts by creation time. */
export function newNotification(draft: NotificationDraft, now: Date): Notification {
  const id = newId(now);
  return { ...keys.notification(draft.user_id, id), id, ...draft, created_at: now.toISOString() };
}

export const notify = (notification: Notification): Write => ({ put: notification });

/** Milliseconds; 0 for never. */
export interface Marks {
  /** The last moment at which the user marked all read. */
  read: number;
  /** The last moment at which the user opened the notifications in the app. */
  viewed: number;
  dismissed: Dismissals;
}

/** The last moment at which the user dismissed all, and the later ones for single events. */
export type Dismissals = { all: number } & Partial<Record<NotificationEvent, number>>;

/** The moments that decide the states of some notifications. */
export interface Moments {
  marks: Marks;
  /** The clock time of the first marking of all as read after this moment, if any. */
  firstRead(after: number): number | undefined;
  /** The clock time at which this one was dismissed with others, if it was. */
  firstDismissal(id: string): number | undefined;
}

/** Milliseconds. */
export function createdAt(notification: Notification): number {
  return Date.parse(notification.created_at);
}

/** Only later moments mark it read. Milliseconds. */
export function unreadAfter(notification: Notification): number {
  return notification.unread_since ?? createdAt(notification) - 1;
}

/** Only later moments dismiss it. Milliseconds. */
export function listedAfter(notification: Notification): number {
  return notification.listed_since ?? createdAt(notification) - 1;
}

/** The last moment that dismissed all notifications of the event. */
export function lastDismissal(dismissed: Dismissals, event: NotificationEvent): number {
  return Math.max(dismissed.all, dismissed[event] ?? 0);
}

export function isRead(notification: Notification, marks: Pick<Marks, 'read'>): boolean {
  return notification.read_at !== undefined || marks.read > unreadAfter(notification);
}

export function isListed(notification: Notification, { dismissed }: Pick<Marks, 'dismissed'>): boolean {
  if (notification.dismissed_at !== undefined) return false;
  return lastDismissal(dismissed, notification.event) <= listedAfter(notification);
}

function timestampOf(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString();
}

export function presentNotification(
  notification: Notification,
  { marks, firstRead, firstDismissal }: Moments,
): z.infer<typeof notificationSchema> {
  return notifications.present(notification, {
    new: !notification.seen && createdAt(notification) > Math.max(marks.read, marks.viewed),
    read_at: notification.read_at ?? timestampOf(firstRead(unreadAfter(notification))),
    dismissed_at: notification.dismissed_at ?? timestampOf(firstDismissal(notification.id)),
  });
}
