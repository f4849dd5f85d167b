import * as z from 'zod';
import { newId } from '../../ids.ts';
import { keys } from '../../table/keys.ts';
import type { Item, Write } from '../../table/table.ts';
import { timestamp, uuid } from '../../values.ts';
import { type NotificationEvent, notificationEvents } from './event.ts';

/**
 * A notification as stored. Whether it is read depends on two things: what was done with it alone, which is here, and
 * the moments at which its user marked everything read, which are items of their own. So marking everything read
 * costs the same however many there are.
 */
export type Notification = Item & {
  id: string;
  user_id: string;
  event: NotificationEvent;
  /** The record as it was when this happened. */
  payload: Record<string, unknown>;
  prompting_user_id: string | null;
  created_at: string;
  /** When it was marked read by itself. */
  read_at?: string;
  /** Milliseconds. It was marked unread when this was the last moment at which everything had been marked read. */
  unread_since?: number;
  /** There while it is dismissed. */
  dismissed_at?: string;
};

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

/** Specification, "Notification". */
export const notificationRecord = z
  .strictObject({
    id: uuid,
    event: z.enum(notificationEvents).nullable().meta({ example: 'comment_added' }),
    payload: z.record(z.string(), z.unknown()).nullable().meta({
      description:
        'The record as it was: `id`, `record_type`, a `name` or `subject`, and the `comment` it is about',
      example: examplePayload,
    }),
    prompting_user_id: uuid.nullable(),
    new: z.boolean(),
    read_at: timestamp.nullable(),
    dismissed_at: timestamp.nullable().meta({ example: null }),
    created_at: timestamp.nullable(),
  })
  .meta({ id: 'Notification' });

export type NotificationDraft = Pick<Notification, 'user_id' | 'event' | 'payload' | 'prompting_user_id'>;

/** Its id sorts by the moment it was made: so does its key. */
export function notify(draft: NotificationDraft, now: Date): Write {
  const id = newId(now);
  const created_at = now.toISOString();
  const item: Notification = { ...keys.notification(draft.user_id, id), id, ...draft, created_at };
  return { put: item };
}

/** The moments, in milliseconds, at which a user marked everything read: the ones that matter to a notification. */
export interface ReadMoments {
  /** The last one; 0 when there was none. */
  last: number;
  /** The first one after `moment`, if any. */
  firstAfter(moment: number): number | undefined;
}

/** Only later moments mark it read. It is milliseconds. */
export function unreadAfter(notification: Notification): number {
  return notification.unread_since ?? Date.parse(notification.created_at) - 1;
}

export function readAt(notification: Notification, moments: ReadMoments): string | null {
  if (notification.read_at !== undefined) return notification.read_at;
  const moment = moments.firstAfter(unreadAfter(notification));
  return moment === undefined ? null : new Date(moment).toISOString();
}

export function presentNotification(
  notification: Notification,
  moments: ReadMoments,
): z.infer<typeof notificationRecord> {
  return {
    id: notification.id,
    event: notification.event,
    payload: notification.payload,
    prompting_user_id: notification.prompting_user_id,
    new: Date.parse(notification.created_at) > moments.last,
    read_at: readAt(notification, moments),
    dismissed_at: notification.dismissed_at ?? null,
    created_at: notification.created_at,
  };
}
