import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { timeRank } from '#shared/table/keys.ts';
import type { Row } from './criteria.ts';
import { listNames } from './postings.ts';
import { readLists } from './read.ts';
import { readRows } from './rows.ts';

/** Milliseconds of 14 days (docs/specification/mail.md, "Open threads"). */
const WINDOW = 14 * 86_400_000;

/** The newest threads of one response: anybody can send any amount of mail. */
const THREADS = 10_000;
const AT_ONCE = 500;

/** The caller's threads that received a message in the window and are not resolved, newest received first. */
export async function findOpenThreads(ctx: CallerContext): Promise<Row[]> {
  const recent = { list: listNames.inbox, from: timeRank(ctx.now.getTime() - WINDOW) };
  const received = readLists(ctx, [[recent]], {
    page_size: 1_000,
    max_steps: Number.POSITIVE_INFINITY,
  });
  const open: Row[] = [];
  for (;;) {
    const postings = await received.take(AT_ONCE);
    if (postings.length === 0) return open;
    const rows = await readRows(ctx, postings, 'inbox_rank');
    open.push(...rows.filter(({ entry }) => entry.resolved === undefined));
    if (open.length >= THREADS) return open.slice(0, THREADS);
  }
}
