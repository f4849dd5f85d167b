import { idFloor, keys } from '../../table/keys.ts';
import type { Expression, QueryPage } from '../../table/requests.ts';
import type { Table } from '../../table/table.ts';
import type { NotificationChoice } from './event.ts';
import { lastReadMoment, readMoments } from './moments.ts';
import type { Notification, ReadMoments } from './notification.ts';
import type { UnreadPointer } from './store.ts';

/**
 * A user's notifications, newest first. Unread ones are of two kinds: what came after the user last marked everything
 * read and was not read by itself, and, older than that, what was marked unread since. Each kind is one range of keys.
 */

/** Items read by one query while most of them may not be wanted. */
const SCAN_CHUNK = 250;
/** Items read by one request; then the page ends early, with a cursor. */
const SCAN_LIMIT = 2_000;
const POINTER_CHUNK = 100;

interface Chunk {
  wanted: Notification[];
  /** The id it ends with; undefined at the end of its range. */
  position: string | undefined;
  read: number;
}

interface Range {
  where: string;
  values: Record<string, unknown>;
}

function filterOf({ events, unread }: NotificationChoice): Expression & { filter: string } {
  const tests = ['attribute_not_exists(dismissed_at)'];
  if (unread) tests.push('attribute_not_exists(read_at)');
  const named = Object.fromEntries((events ?? []).map((event, i) => [`:event${i}`, event]));
  if (!events) return { filter: tests.join(' AND ') };
  tests.push(`#event IN (${Object.keys(named).join(', ')})`);
  return { filter: tests.join(' AND '), names: { '#event': 'event' }, values: named };
}

function isWanted(notification: Notification, { events }: NotificationChoice): boolean {
  return notification.dismissed_at === undefined && (!events || events.includes(notification.event));
}

/** Keys that begin with `prefix`, from `low` up to and with `after`. */
function rangeOf(partition: string, prefix: string, low: string, after: string | undefined): Range {
  // "~" sorts after every id.
  const values = {
    ':partition': partition,
    ':low': `${prefix}${low}`,
    ':high': `${prefix}${after ?? '~'}`,
  };
  return { where: 'PK = :partition AND SK BETWEEN :low AND :high', values };
}

function notificationRange(user_id: string, floor: string, after?: string): Range {
  const { PK, SK } = keys.notification(user_id, '');
  return rangeOf(PK, SK, floor, after);
}

/** Newer than `floor`, or all when that is empty. */
async function* recent(
  table: Table,
  user_id: string,
  choice: NotificationChoice,
  floor: string,
  after: string | undefined,
  size: number,
): AsyncGenerator<Chunk> {
  if (after !== undefined && after < floor) return;
  const filter = filterOf(choice);
  const range = notificationRange(user_id, floor, after);
  let last: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<Notification> = await table.query<Notification>({
      ...range,
      ...filter,
      values: { ...range.values, ...filter.values },
      newest_first: true,
      limit: size,
      after: last,
    });
    last = page.last;
    const wanted = page.items.filter((notification) => notification.id !== after);
    const end = last && (last.SK as string).slice(keys.notification(user_id, '').SK.length);
    yield { wanted, position: end, read: size };
  } while (last);
}

async function* pointers(
  table: Table,
  user_id: string,
  moment: number,
  after: string | undefined,
): AsyncGenerator<UnreadPointer[]> {
  const { PK, SK } = keys.notificationUnread(user_id, moment, '');
  const range = rangeOf(PK, SK, '', after);
  let last: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<UnreadPointer> = await table.query<UnreadPointer>({
      ...range,
      newest_first: true,
      limit: POINTER_CHUNK,
      after: last,
    });
    yield page.items.filter((pointer) => pointer.notification_id !== after);
    last = page.last;
  } while (last);
}

/** Older than `moment`, the last at which everything was marked read, and marked unread since. */
async function* markedUnread(
  table: Table,
  user_id: string,
  choice: NotificationChoice,
  moment: number,
  after: string | undefined,
): AsyncGenerator<Chunk> {
  for await (const found of pointers(table, user_id, moment, after)) {
    const ids = found.map((pointer) => pointer.notification_id);
    const items = await table.getMany<Notification>(ids.map((id) => keys.notification(user_id, id)));
    const byId = new Map(items.map((item) => [item.id, item]));
    const wanted = ids.flatMap((id) => byId.get(id) ?? []).filter((item) => isWanted(item, choice));
    yield { wanted, position: ids.at(-1), read: POINTER_CHUNK };
  }
}

async function* chosen(
  table: Table,
  user_id: string,
  choice: NotificationChoice,
  moment: number,
  page: { limit: number; after: string | undefined },
): AsyncGenerator<Chunk> {
  // One more shows that there are more, and one may be the last of the page before.
  const size = choice.unread || choice.events ? SCAN_CHUNK : page.limit + 2;
  const floor = choice.unread ? idFloor(moment + 1) : '';
  yield* recent(table, user_id, choice, floor, page.after, size);
  if (choice.unread && moment > 0) yield* markedUnread(table, user_id, choice, moment, page.after);
}

export interface NotificationPage {
  notifications: Notification[];
  moments: ReadMoments;
  /** Where the next page begins: after this id. Null at the end. */
  next: string | null;
}

/** A full page while there are more, unless the wanted ones are so rare that the search is cut off before. */
export async function listNotifications(
  table: Table,
  user_id: string,
  choice: NotificationChoice,
  page: { limit: number; after: string | undefined },
): Promise<NotificationPage> {
  const moment = await lastReadMoment(table, user_id);
  const found: Notification[] = [];
  let next: string | null = null;
  let read = 0;
  for await (const chunk of chosen(table, user_id, choice, moment, page)) {
    found.push(...chunk.wanted);
    read += chunk.read;
    if (found.length > page.limit) next = found[page.limit - 1]?.id ?? null;
    else if (read >= SCAN_LIMIT && chunk.position !== undefined) next = chunk.position;
    if (next !== null) break;
  }
  const notifications = found.slice(0, page.limit);
  return { notifications, moments: await readMoments(table, user_id, notifications, moment), next };
}

/** Exact, whatever it takes. */
export async function countNotifications(
  table: Table,
  user_id: string,
  choice: NotificationChoice,
): Promise<number> {
  const moment = choice.unread ? await lastReadMoment(table, user_id) : 0;
  const filter = filterOf(choice);
  const range = notificationRange(user_id, choice.unread ? idFloor(moment + 1) : '');
  let total = await table.count({ ...range, ...filter, values: { ...range.values, ...filter.values } });
  if (!choice.unread || moment === 0) return total;
  for await (const chunk of markedUnread(table, user_id, choice, moment, undefined))
    total += chunk.wanted.length;
  return total;
}
