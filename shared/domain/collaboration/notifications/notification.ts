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
  // The record as it was when this happened.
  payload: narrower(
    payload.nullable().meta({
      description:
        'The record as it was: `id`, `record_type`, a `name` or `subject`, and the `comment` it is about',
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
 * A notification as stored. Whether it is read and listed depends on two things: what was done with it alone, which is
 * here, and the moments at which its user marked everything read or dismissed it, which are items of their own. So that
 * costs the same however many there are.
 */
export type Notification = Item &
  StoredFields<typeof notifications.fields> & {
    user_id: string;
    /** When it was marked read by itself. */
    read_at?: string;
    /** It was there when its user marked everything read or opened the notifications: it is not new. */
    seen?: true;
    /** Milliseconds. It was marked unread when this was the last moment at which everything had been marked read. */
    unread_since?: number;
    /** When it was dismissed by itself. */
    dismissed_at?: string;
    /** Milliseconds. It was undismissed when this was the last moment at which all of its event had been dismissed. */
    listed_since?: number;
  };

/** docs/specification/notifications.md, "Notification". */
export const notificationSchema = notifications.response;

export type NotificationDraft = Pick<Notification, 'user_id' | 'event' | 'payload' | 'prompting_user_id'>;

/** Its id sorts by the moment it was made: so does its key. */
export function notify(draft: NotificationDraft, now: Date): Write {
  const id = newId(now);
  const created_at = now.toISOString();
  const item: Notification = { ...keys.notification(draft.user_id, id), id, ...draft, created_at };
  return { put: item };
}

/** Milliseconds; 0 for never. */
export interface Marks {
  /** The last moment at which the user marked everything read. */
  read: number;
  /** The last at which the user opened the notifications in the app. */
  viewed: number;
  dismissed: Dismissals;
}

/** The last moment at which the user dismissed everything, and since then all of single events. */
export type Dismissals = { all: number } & Partial<Record<NotificationEvent, number>>;

/** What decides the states of some notifications. */
export interface Moments {
  marks: Marks;
  /** When, by the clock, everything was marked read first after this moment, if it was. */
  firstRead(after: number): number | undefined;
  /** When, by the clock, this one was dismissed together with others, if it was. */
  firstDismissal(id: string): number | undefined;
}

/** Milliseconds. */
export function createdAt(notification: Notification): number {
  return Date.parse(notification.created_at);
}

/** Only later moments mark it read. It is milliseconds. */
export function unreadAfter(notification: Notification): number {
  return notification.unread_since ?? createdAt(notification) - 1;
}

/** Only later moments dismiss it. It is milliseconds. */
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
