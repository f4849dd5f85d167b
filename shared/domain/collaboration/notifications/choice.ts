import { idFloor } from '#shared/table/keys.ts';
import { among, atLeast, type Condition, every, missing, not, when } from '#shared/table/table.ts';
import { type NotificationChoice, notificationEvents } from './event.ts';
import { isListed, isRead, lastDismissal, type Marks, type Notification } from './notification.ts';

/** Which notifications a list or a count keeps, as a test on one of them and as a filter that the table applies. */

export function isChosen(notification: Notification, choice: NotificationChoice, marks: Marks): boolean {
  if (choice.events && !choice.events.includes(notification.event)) return false;
  return isListed(notification, marks) && !(choice.unread && isRead(notification, marks));
}

/** The last moment that dismissed everything of the chosen events. */
export function dismissalFloor(
  { events = [...notificationEvents] }: NotificationChoice,
  marks: Marks,
): number {
  return Math.min(...events.map((event) => lastDismissal(marks.dismissed, event)));
}

/** What is chosen and not newer than this moment was marked so by itself: there is a pointer to it. */
export function floorOf(choice: NotificationChoice, marks: Marks): number {
  return Math.max(choice.unread ? marks.read : 0, dismissalFloor(choice, marks));
}

/** Keeps the same as `isChosen`, of what is newer than the floor. */
export function filterOf(choice: NotificationChoice, marks: Marks): Condition {
  const floor = floorOf(choice, marks);
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
