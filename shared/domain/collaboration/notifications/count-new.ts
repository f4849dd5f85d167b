import { idFloor, keys } from '#shared/table/keys.ts';
import { every, missing, type Table, when } from '#shared/table/table.ts';
import { filterOf } from './choice.ts';
import { countNotifications, rangeOf } from './list.ts';
import { loadMarks } from './moments.ts';
import type { Marks, Notification } from './notification.ts';

/** Before every id, and behind. */
const [FIRST, LAST] = ['', '~'];

/** Those that are listed and new: nobody opened the notifications, or marked all read, since they came. */
function countNew(table: Table, user_id: string, marks: Marks): Promise<number> {
  const floor = Math.max(marks.read, marks.viewed);
  const everything = { events: undefined, unread: false };
  return table.count({
    ...rangeOf(keys.notification(user_id, ''), floor === 0 ? FIRST : idFloor(floor + 1), LAST),
    filter: every(when<Notification>({ seen: missing }), filterOf(everything, marks, floor)),
  });
}

/** How many notifications are new, and how many unread. Costs as much as `countNotifications`, for each. */
export async function countNewAndUnread(table: Table, user_id: string) {
  const marks = await loadMarks(table, user_id);
  const [new_count, unread_count] = await Promise.all([
    countNew(table, user_id, marks),
    countNotifications(table, user_id, { events: undefined, unread: true }, marks),
  ]);
  return { new_count, unread_count };
}
