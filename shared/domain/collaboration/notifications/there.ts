import { idFloor, keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { createdAt, type Notification } from './notification.ts';

/**
 * What a user has been sent when something is done to all of it. A notification bears the time at which the request that
 * wrote it began, so one may arrive after others that bear a later time. By its time alone it is known to have been
 * there only when no request is late by so much. The recent ones are therefore looked for and changed one by one: what
 * is not found arrives afterwards, whatever the clocks say.
 */
interface There {
  /** Newest first. */
  recent: Notification[];
  /** When the newest of the others was created, in milliseconds; 0 when there are none. */
  older: number;
}

/** Milliseconds. A request runs for 29 seconds at most, and the clocks of machines differ. */
const LATENESS = 45_000;

/**
 * So many are changed one by one, each with its pointer, in a transaction of a hundred. When more came within so short a
 * time, the others are known by their time.
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
