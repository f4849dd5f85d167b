import { keys } from '../../table/keys.ts';
import type { Item, Table } from '../../table/table.ts';
import { type Notification, type ReadMoments, unreadAfter } from './notification.ts';

/** The moments at which a user marked all notifications read: an item each, in milliseconds, ever later. */
export type ReadMark = Item & { moment: number };

/** Most lists need one to three of them. */
const MARKS_AT_ONCE = 25;

/** The last moment at which the user marked everything read; 0 when there was none. */
export async function lastReadMoment(table: Table, user_id: string): Promise<number> {
  const first = keys.notificationsRead(user_id, 0);
  const page = await table.query<ReadMark>({
    where: 'PK = :partition AND begins_with(SK, :prefix)',
    values: { ':partition': first.PK, ':prefix': first.SK.slice(0, first.SK.indexOf('#') + 1) },
    newest_first: true,
    limit: 1,
  });
  return page.items[0]?.moment ?? 0;
}

async function marksAfter(table: Table, user_id: string, moment: number, last: number): Promise<number[]> {
  const from = keys.notificationsRead(user_id, moment + 1);
  const page = await table.query<ReadMark>({
    where: 'PK = :partition AND SK BETWEEN :from AND :to',
    values: { ':partition': from.PK, ':from': from.SK, ':to': keys.notificationsRead(user_id, last).SK },
    limit: MARKS_AT_ONCE,
  });
  return page.items.map((mark) => mark.moment);
}

/** The moments that decide whether these notifications are read. `last` is the last one of all. */
export async function readMoments(
  table: Table,
  user_id: string,
  notifications: Notification[],
  last: number,
): Promise<ReadMoments> {
  const open = notifications.filter((notification) => notification.read_at === undefined);
  const wanted = open.map(unreadAfter).sort((a, b) => a - b);
  const known: number[] = [];
  for (const moment of wanted) {
    if (moment >= last) break;
    // What was read before goes on without a gap from an earlier moment, so it holds the first after this one.
    if ((known.at(-1) ?? 0) > moment) continue;
    known.push(...(await marksAfter(table, user_id, moment, last)));
  }
  return { last, firstAfter: (moment) => known.find((each) => each > moment) };
}
