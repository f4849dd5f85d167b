import { timeRank } from '../../../table/keys.ts';
import type { Table } from '../../../table/table.ts';
import type { Caller } from '../../caller.ts';
import { Candidates } from './candidates.ts';
import type { Row } from './criteria.ts';
import { listNames } from './listings.ts';
import { readRows } from './rows.ts';

/** Specification, "Limits": threads that received a message in the last 14 days. */
const WINDOW = 14 * 86_400_000;

/** The caller's threads that received a message in the window and are not resolved, newest received first. */
export async function findOpenThreads(table: Table, caller: Caller, now: Date): Promise<Row[]> {
  const recent = { list: listNames.inbox, from: timeRank(now.getTime() - WINDOW) };
  const candidates = new Candidates(table, caller.user.id, [[recent]], {
    page_size: 1_000,
    max_steps: Number.POSITIVE_INFINITY,
  });
  const listings = await candidates.take(Number.POSITIVE_INFINITY);
  const rows = await readRows(table, caller, listings, 'inbox_rank');
  return rows.filter(({ entry }) => entry.resolved === undefined);
}
