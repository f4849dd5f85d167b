import { type Key, keys } from '#shared/table/keys.ts';
import { type Condition, type Item, mustNotExist, type Table } from '#shared/table/table.ts';
import type { NotificationEvent } from './event.ts';
import {
  type Dismissals,
  isListed,
  lastDismissal,
  listedAfter,
  type Marks,
  type Moments,
  type Notification,
  unreadAfter,
} from './notification.ts';

/**
 * What a user does to all notifications at once is written to the recent ones only. For the others it is a moment: a
 * time in milliseconds, increasing, that applies to everything created until then. The last moments tell what is listed
 * and unread; the earlier ones, an item each, tell when a notification was read or dismissed.
 */
type Moment = Item & {
  moment: number;
  /** The time of the clock, in milliseconds. */
  at: number;
};

/** Only one request can put it: another one with the same moment reads again. */
export function putMoment(key: Key, moment: number, now: Date): { put: Moment; when: Condition } {
  return { put: { ...key, moment, at: now.getTime() }, when: mustNotExist };
}

/** As stored, in one item because lists need both; missing before the first time. */
export type StoredMarks = Item & {
  viewed?: number;
  dismissed?: Dismissals;
};

/** Most lists need one to three. */
const MOMENTS_AT_ONCE = 25;

/** The last moment at which the user marked all read; 0 when there is none. */
export async function lastReadMoment(table: Table, user_id: string): Promise<number> {
  const first = keys.notificationsRead(user_id, 0);
  const page = await table.query<Moment>({
    partition: first.PK,
    sort: { begins: first.SK.slice(0, first.SK.indexOf('#') + 1) },
    newest_first: true,
    limit: 1,
  });
  return page.items[0]?.moment ?? 0;
}

export async function loadStoredMarks(table: Table, user_id: string): Promise<Omit<StoredMarks, keyof Item>> {
  return (await table.get<StoredMarks>(keys.notificationMarks(user_id))) ?? {};
}

export async function loadMarks(table: Table, user_id: string): Promise<Marks> {
  const [read, stored] = await Promise.all([lastReadMoment(table, user_id), loadStoredMarks(table, user_id)]);
  return { read, viewed: stored.viewed ?? 0, dismissed: stored.dismissed ?? { all: 0 } };
}

async function momentsBetween(
  table: Table,
  keyAt: (moment: number) => Key,
  after: number,
  last: number,
  limit: number,
): Promise<Moment[]> {
  const page = await table.query<Moment>({
    partition: keyAt(0).PK,
    sort: { from: keyAt(after + 1).SK, to: keyAt(last).SK },
    limit,
  });
  return page.items;
}

async function readMoments(
  table: Table,
  user_id: string,
  notifications: Notification[],
  last: number,
): Promise<Moments['firstRead']> {
  const open = notifications.filter((notification) => notification.read_at === undefined);
  const wanted = open.map(unreadAfter).sort((a, b) => a - b);
  const known: Moment[] = [];
  const keyAt = (moment: number) => keys.notificationsRead(user_id, moment);
  for (const moment of wanted) {
    if (moment >= last) break;
    // The earlier read continues without a gap from an earlier moment, so it contains the first after this one.
    if ((known.at(-1)?.moment ?? 0) > moment) continue;
    known.push(...(await momentsBetween(table, keyAt, moment, last, MOMENTS_AT_ONCE)));
  }
  return (moment) => known.find((each) => each.moment > moment)?.at;
}

/** When the notification was dismissed with all, or with all of its event. */
async function firstDismissal(table: Table, notification: Notification, marks: Marks): Promise<number> {
  const { user_id, event } = notification;
  const last = lastDismissal(marks.dismissed, event);
  const scopes: (NotificationEvent | 'all')[] = ['all', event];
  const found = await Promise.all(
    scopes.map((scope) => {
      const keyAt = (moment: number) => keys.notificationsDismissed(user_id, scope, moment);
      return momentsBetween(table, keyAt, listedAfter(notification), last, 1);
    }),
  );
  return found.flat().reduce((first, each) => (each.moment < first.moment ? each : first)).at;
}

async function dismissMoments(
  table: Table,
  notifications: Notification[],
  marks: Marks,
): Promise<Moments['firstDismissal']> {
  const gone = notifications.filter((each) => each.dismissed_at === undefined && !isListed(each, marks));
  const moments = await Promise.all(gone.map((each) => firstDismissal(table, each, marks)));
  const byId = new Map(gone.map((each, i) => [each.id, moments[i] as number]));
  return (id) => byId.get(id);
}

/** The moments that decide the states of these notifications. */
export async function momentsOf(
  table: Table,
  user_id: string,
  notifications: Notification[],
  marks: Marks,
): Promise<Moments> {
  const [firstRead, dismissal] = await Promise.all([
    readMoments(table, user_id, notifications, marks.read),
    dismissMoments(table, notifications, marks),
  ]);
  return { marks, firstRead, firstDismissal: dismissal };
}
