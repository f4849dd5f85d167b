import { idFloor, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { createdAt, type Notification } from './notification.ts';

/**
 * The notifications that exist when something is done to all of them. A notification has the time at which its request
 * began, so one may arrive after others with a later time. By time alone, only those older than any request can be late
 * are known to exist. The recent ones are therefore read and changed one by one: one that is not found arrives
 * afterwards, whatever the clocks say.
 */
interface There {
  /** Newest first. */
  recent: Notification[];
  /** When the newest of the older ones was created, in milliseconds; 0 when there are none. */
  older: number;
}

/** Milliseconds. A request runs for 29 seconds at most, and the clocks of machines differ. */
const LATENESS = 45_000;

/**
 * This many are changed one by one, each with its pointer, in a transaction of a hundred. When more arrive within so
 * short a time, the rest is known by time alone.
 */
const ONE_BY_ONE = 48;

export async function whatIsThere(table: Table, user_id: string, now: Date): Promise<There> {
  const { PK, SK } = keys.notification(user_id, '');
  const edge = SK + idFloor(now.getTime() - LATENESS);
  const newest = (low: string, high: string, limit: number) =>
    table.query<Notification>({
      partition: PK,
      sort: { from: low, to: high },
      newest_first: true,
      limit,
    });
  // "~" sorts after every id.
  const [recent, before] = await Promise.all([newest(edge, `${SK}~`, ONE_BY_ONE), newest(SK, edge, 1)]);
  const next = recent.last ? recent.items.at(-1) : before.items[0];
  return { recent: recent.items, older: next ? createdAt(next) : 0 };
}
