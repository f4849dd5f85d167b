import { idFloor } from '#shared/table/keys.ts';
import { among, atLeast, type Condition, every, missing, not, when } from '#shared/table/table.ts';
import { type NotificationChoice, notificationEvents } from './event.ts';
import { isListed, isRead, lastDismissal, type Marks, type Notification } from './notification.ts';

/** The filters of a list or a count of notifications, as a test in code and as a filter of the table. */

export function isChosen(notification: Notification, choice: NotificationChoice, marks: Marks): boolean {
  if (choice.events && !choice.events.includes(notification.event)) return false;
  return isListed(notification, marks) && !(choice.unread && isRead(notification, marks));
}

/** The last moment that dismissed all notifications of the chosen events. */
export function dismissalFloor(
  { events = [...notificationEvents] }: NotificationChoice,
  marks: Marks,
): number {
  return Math.min(...events.map((event) => lastDismissal(marks.dismissed, event)));
}

/** Chosen notifications up to this moment were changed one by one, and have a pointer. */
export function floorOf(choice: NotificationChoice, marks: Marks): number {
  return Math.max(choice.unread ? marks.read : 0, dismissalFloor(choice, marks));
}

/** The same as `isChosen`, for notifications after the floor, or after any other moment. */
export function filterOf(
  choice: NotificationChoice,
  marks: Marks,
  floor = floorOf(choice, marks),
): Condition {
  const chosen = when<Notification>({
    dismissed_at: missing,
    ...(choice.unread ? { read_at: missing } : {}),
    ...(choice.events ? { event: among(...choice.events) } : {}),
  });
  const since = (choice.events ?? notificationEvents).flatMap((event) => {
    const moment = lastDismissal(marks.dismissed, event);
    if (moment <= floor) return [];
    return when<Notification>(
      { event: not(event) },
      { id: atLeast(idFloor(moment + 1)) },
      { listed_since: atLeast(moment) },
    );
  });
  return every(chosen, ...since);
}
