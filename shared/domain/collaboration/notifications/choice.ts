import { idFloor } from '#shared/table/keys.ts';
import type { Expression } from '#shared/table/requests.ts';
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
export function filterOf(choice: NotificationChoice, marks: Marks): Expression & { filter: string } {
  const tests = ['attribute_not_exists(dismissed_at)'];
  const values: Record<string, unknown> = {};
  const named = (event: string) => {
    values[`:${event}`] = event;
    return `:${event}`;
  };
  if (choice.unread) tests.push('attribute_not_exists(read_at)');
  if (choice.events) tests.push(`#event IN (${choice.events.map(named).join(', ')})`);
  for (const event of choice.events ?? notificationEvents) {
    const moment = lastDismissal(marks.dismissed, event);
    if (moment <= floorOf(choice, marks)) continue;
    values[`:after_${event}`] = idFloor(moment + 1);
    values[`:since_${event}`] = moment;
    tests.push(`(#event <> ${named(event)} OR #id >= :after_${event} OR listed_since >= :since_${event})`);
  }
  const filter = tests.join(' AND ');
  const names = Object.fromEntries(['event', 'id'].map((name) => [`#${name}`, name]));
  const used = Object.entries(names).filter(([name]) => filter.includes(name));
  return used.length === 0 ? { filter } : { filter, names: Object.fromEntries(used), values };
}
