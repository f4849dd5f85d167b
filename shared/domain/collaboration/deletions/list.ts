import {
  ENDED_KEPT,
  endedList,
  endedRank,
  momentOf,
} from '#shared/domain/collaboration/record-lists/ended.ts';
import { idOf } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { isThere } from '#shared/domain/collaboration/records/live.ts';
import { type GuardedItem, isCurrent } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { Conjunction } from '#shared/domain/platform/postings/conjunction.ts';
import { findPage, MAX_STEPS, type Page, pageSize } from '#shared/domain/platform/postings/page.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import type { Deletion } from './deletion.ts';
import { visibleHeirs } from './heirs.ts';
import { restorableUntil } from './restorable.ts';

/** The records that ended, in the order in which they did, for users who saw them (record-lists/ended.ts). */

interface Paging {
  limit: number;
  /** Milliseconds: what ended later. */
  since: number | undefined;
  /** Where the page begins: `next` of the page before it. */
  after: string | undefined;
}

type Row = Deletion & { rank: string };

/** The lists of the account and of the caller; those of mailboxes have what was linked to their mail. */
const ownersFor = ({ caller: { account, user } }: CallerContext) => [
  account.id,
  user.id,
  ...Object.keys(user.mailboxes),
];

/** Without those that were restored since they were read. */
async function rowsOf(ctx: CallerContext, type: RecordType, ranks: string[]): Promise<Row[]> {
  const items = await ctx.table.getMany<GuardedItem>(ranks.map((rank) => keys.record(type, idOf(rank))));
  const byKey = new Map(items.map((item) => [item.PK, item]));
  const itemOf = (rank: string) => byKey.get(keys.record(type, idOf(rank)).PK);
  const heirs = await visibleHeirs(ctx, type, items);
  return ranks.flatMap((rank) => {
    const item = itemOf(rank);
    if (isThere(item) && isCurrent(item, ctx.caller)) return [];
    const id = idOf(rank);
    return {
      rank,
      id,
      deleted_at: new Date(momentOf(rank)).toISOString(),
      merged_into: heirs.get(id) ?? null,
      restorable_until: restorableUntil(type, item, ctx.now),
    };
  });
}

export async function listDeletions(
  ctx: CallerContext,
  type: RecordType,
  { limit, since = 0, after }: Paging,
): Promise<Page<Deletion>> {
  const earliest = Math.max(since, ctx.now.getTime() - ENDED_KEPT);
  // Prefixes of ranks: what ended at the moment itself is not later.
  const from = after ?? endedRank(earliest + 1, '');
  const clauses = [ownersFor(ctx).map((owner) => ({ owner, list: endedList(type), from }))];
  const reading = { page_size: pageSize(clauses, limit), max_steps: MAX_STEPS, order: 'asc' as const };
  const page = await findPage(new Conjunction(ctx.table, clauses, reading), {
    limit,
    order: 'asc',
    rowsOf: (postings) =>
      rowsOf(
        ctx,
        type,
        postings.map(({ SK }) => SK),
      ),
    rankOf: ({ rank }) => rank,
  });
  return { rows: page.rows.map(({ rank, ...row }) => row), next: page.next };
}
