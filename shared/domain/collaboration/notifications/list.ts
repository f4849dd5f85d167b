import { idFloor, type Key, keys } from '#shared/table/keys.ts';
import type { QueryPage } from '#shared/table/requests.ts';
import type { Range, Table } from '#shared/table/table.ts';
import { dismissalFloor, filterOf, floorOf, isChosen } from './choice.ts';
import type { NotificationChoice } from './event.ts';
import { loadMarks, momentsOf } from './moments.ts';
import type { Marks, Moments, Notification } from './notification.ts';
import type { Pointer } from './store.ts';

/**
 * A user's notifications, newest first. Matching ones are of two kinds: those created after the user last marked all
 * read or dismissed all, and older ones that were marked unread or undismissed since. Each kind is one range of keys.
 */

/** Items of one query while most of them may not match. */
const SCAN_CHUNK = 250;
/** Items of one request; then the page ends early, with a cursor. */
const SCAN_LIMIT = 2_000;
const POINTER_CHUNK = 100;

interface Search {
  table: Table;
  user_id: string;
  choice: NotificationChoice;
  marks: Marks;
}

interface Chunk {
  wanted: Notification[];
  /** The id it ends with; undefined at the end of its range. */
  position: string | undefined;
  read: number;
}

/** Keys with this prefix, from `low` to `high`, both included. */
export function rangeOf(prefix: Key, low: string, high: string): Range {
  return { partition: prefix.PK, sort: { from: `${prefix.SK}${low}`, to: `${prefix.SK}${high}` } };
}

/** Ids after the floor. */
function recentFrom({ choice, marks }: Search): string {
  const floor = floorOf(choice, marks);
  return floor === 0 ? '' : idFloor(floor + 1);
}

/** Notifications after the floor. */
function recentRange(search: Search, after?: string) {
  // "~" sorts after every id.
  const range = rangeOf(keys.notification(search.user_id, ''), recentFrom(search), after ?? '~');
  return { ...range, filter: filterOf(search.choice, search.marks) };
}

async function* recent(search: Search, after: string | undefined, size: number): AsyncGenerator<Chunk> {
  if (after !== undefined && after < recentFrom(search)) return;
  const range = recentRange(search, after);
  let last: Record<string, unknown> | undefined;
  let limit = size;
  do {
    const page: QueryPage<Notification> = await search.table.query<Notification>({
      ...range,
      newest_first: true,
      limit,
      after: last,
    });
    last = page.last;
    const wanted = page.items.filter((notification) => notification.id !== after);
    const end = last && (last.SK as string).slice(keys.notification(search.user_id, '').SK.length);
    yield { wanted, position: end, read: limit };
    limit = Math.max(limit, SCAN_CHUNK);
  } while (last);
}

/** The keys of pointers to older notifications: the newest moment that hides them names the pointers. */
function pointersOf({ choice, marks, user_id }: Search): Key {
  return choice.unread && marks.read >= dismissalFloor(choice, marks)
    ? keys.notificationUnread(user_id, marks.read, '')
    : keys.notificationListed(user_id, marks.dismissed.all, '');
}

async function* pointers(search: Search, after: string | undefined): AsyncGenerator<Pointer[]> {
  const end = recentFrom(search);
  const range = rangeOf(pointersOf(search), '', after === undefined || after > end ? end : after);
  let last: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<Pointer> = await search.table.query<Pointer>({
      ...range,
      newest_first: true,
      limit: POINTER_CHUNK,
      after: last,
    });
    yield page.items.filter((pointer) => pointer.notification_id !== after);
    last = page.last;
  } while (last);
}

/** Older notifications that were marked unread or undismissed since. */
async function* older(search: Search, after: string | undefined): AsyncGenerator<Chunk> {
  const { table, user_id, choice, marks } = search;
  if (floorOf(choice, marks) === 0) return;
  for await (const found of pointers(search, after)) {
    const ids = found.map((pointer) => pointer.notification_id);
    const items = await table.getMany<Notification>(ids.map((id) => keys.notification(user_id, id)));
    const byId = new Map(items.map((item) => [item.id, item]));
    const wanted = ids.flatMap((id) => byId.get(id) ?? []).filter((item) => isChosen(item, choice, marks));
    yield { wanted, position: ids.at(-1), read: POINTER_CHUNK };
  }
}

async function* chosen(
  search: Search,
  page: { limit: number; after: string | undefined },
): AsyncGenerator<Chunk> {
  // One more item shows that there is a next page, and one may be the last of the previous page.
  const size = search.choice.unread || search.choice.events ? SCAN_CHUNK : page.limit + 2;
  yield* recent(search, page.after, size);
  yield* older(search, page.after);
}

export interface NotificationPage {
  notifications: Notification[];
  moments: Moments;
  /** The id after which the next page begins; null at the end. */
  next: string | null;
}

/** A full page while there are more, unless matches are so rare that the scan limit ends it. */
export async function listNotifications(
  table: Table,
  user_id: string,
  choice: NotificationChoice,
  page: { limit: number; after: string | undefined },
): Promise<NotificationPage> {
  const marks = await loadMarks(table, user_id);
  const found: Notification[] = [];
  let next: string | null = null;
  let read = 0;
  for await (const chunk of chosen({ table, user_id, choice, marks }, page)) {
    found.push(...chunk.wanted);
    read += chunk.read;
    if (found.length > page.limit) next = found[page.limit - 1]?.id ?? null;
    else if (read >= SCAN_LIMIT && chunk.position !== undefined) next = chunk.position;
    if (next !== null) break;
  }
  const notifications = found.slice(0, page.limit);
  return { notifications, moments: await momentsOf(table, user_id, notifications, marks), next };
}

/**
 * Exact: reads what was created after everything was last dismissed (or marked read, for unread ones) with COUNT
 * queries, which return only numbers. About six notifications cost one read unit
 * (docs/decisions/0014-notifications.md).
 */
export async function countNotifications(
  table: Table,
  user_id: string,
  choice: NotificationChoice,
  known?: Marks,
): Promise<number> {
  const search = { table, user_id, choice, marks: known ?? (await loadMarks(table, user_id)) };
  const countOlder = async () => {
    let total = 0;
    for await (const chunk of older(search, undefined)) total += chunk.wanted.length;
    return total;
  };
  const [newer, marked] = await Promise.all([table.count(recentRange(search)), countOlder()]);
  return newer + marked;
}
