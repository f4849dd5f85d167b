import type { Context } from '#shared/context.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLinkable } from '#shared/domain/collaboration/records/types.ts';
import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete, dispatch, dispatchAgain, findJob, type Job } from '#shared/domain/platform/jobs/job.ts';
import type { ListChange, ListKeeper } from '#shared/domain/platform/lists/keeper.ts';
import { idFrom } from '#shared/ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { type Item, mustExist, type Table, type Write } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import type { RecordIndex } from './entry.ts';
import { indexAll } from './index-all.ts';
import { indexRecord } from './index-record.ts';
import { type Indexing, indexingJob, type OfGroup, type OfLinked, type OfRecords } from './job.ts';
import { linkedPage } from './linked.ts';

/** The lists of the registered types. */
export type RecordIndexes = { readonly [Type in RecordType]?: SomeIndex };

/** All lists that follow records. */
export interface AllLists {
  indexes: RecordIndexes;
  /** Lists addresses that a contact has from now on. Idempotent. */
  listAddresses(table: Table, account_id: string, addresses: string[]): Promise<void>;
}

type SomeIndex = Omit<RecordIndex<never>, 'whole'> & {
  whole?(table: Table, records: never[]): Promise<unknown[]>;
};

/** Records that a request indexes itself; a worker does so between two checks of its time. */
const AT_ONCE = 25;

type GroupShareRow = Item & { record_type: RecordType; record_id: string };
type SharedItem = Item & { shares: Record<string, StoredShare> };

const indexOf = (indexes: RecordIndexes, type: RecordType) =>
  indexes[type] as unknown as RecordIndex | undefined;

/** Ends the shares of a group that is gone. */
async function dropShares(table: Table, group_id: string, { record_type, record_id }: GroupShareRow) {
  const key = keys.record(record_type, record_id);
  const record = await table.get<SharedItem>(key);
  const ended = Object.values(record?.shares ?? {}).filter((share) => share.group_id === group_id);
  for (const { id } of ended)
    await table.update<SharedItem>(key, { remove: [['shares', id]], when: mustExist }, 'NONE');
}

type Rest = Indexing | undefined;

/** Returns the rest when there is more than one page. */
async function indexLinked(
  ctx: Context,
  indexes: RecordIndexes,
  { linked_to, after }: OfLinked,
): Promise<OfLinked | undefined> {
  const page = await linkedPage(ctx.table, linked_to, { after, limit: AT_ONCE });
  for (const { type, id } of page.refs) {
    const index = indexOf(indexes, type);
    // The others do not follow what they are linked to.
    if (index?.audience) await indexRecord(ctx, index, id);
    // Who sees those of its own type follows from it, and so does who sees what is linked to them.
    if (index?.whole) await followLinks(ctx, indexes, { type, id });
  }
  return page.last === undefined ? undefined : { linked_to, after: page.last };
}

/** The lists of what is linked to a record; a job of its own takes what is more than a page. */
async function followLinks(ctx: Context, indexes: RecordIndexes, linked_to: RecordRef) {
  const rest = await indexLinked(ctx, indexes, { linked_to });
  if (rest) await commit(ctx, { writes: [], jobs: [indexingJob(rest, ctx.now)] });
}

/** Returns the rest when there is more than one page. */
async function indexGroup(ctx: Context, indexes: RecordIndexes, indexing: OfGroup): Promise<Rest> {
  const { table } = ctx;
  const { group_id, ended, after } = indexing;
  const { PK } = keys.groupShare(group_id, 'contacts', '');
  const page = await table.query<GroupShareRow>({
    partition: PK,
    sort: { begins: 'SHARE#' },
    limit: AT_ONCE,
    after: after === undefined ? undefined : { PK, SK: after },
  });
  for (const row of page.items) {
    const { record_type: type, record_id: id } = row;
    const index = indexOf(indexes, type);
    await followLinks(ctx, indexes, { type, id });
    if (!index) continue;
    if (ended) await dropShares(table, group_id, row);
    await indexRecord(ctx, index, row.record_id);
    if (ended) await table.delete({ PK, SK: row.SK });
  }
  const last = page.items.at(-1)?.SK;
  return page.last && last !== undefined ? { ...indexing, after: last } : undefined;
}

/** `end` are the writes of the last transaction. */
async function indexRecords(
  ctx: Context,
  { indexes, listAddresses }: AllLists,
  indexing: OfRecords,
  end: Write[],
): Promise<Rest> {
  const { record_type: type, record_ids, and_linked, with_addresses: added } = indexing;
  if (added) await listAddresses(ctx.table, added.account_id, added.addresses);
  const index = indexOf(indexes, type);
  const now = record_ids.slice(0, AT_ONCE);
  const left = record_ids.slice(AT_ONCE);
  if (and_linked) for (const id of now) await followLinks(ctx, indexes, { type, id });
  for (const [i, id] of now.entries()) {
    const isLast = left.length === 0 && i === now.length - 1;
    if (index) await indexRecord(ctx, index, id, isLast ? end : []);
  }
  if (!index && left.length === 0) await ctx.table.transact(end);
  return left.length > 0 ? { ...indexing, record_ids: left } : undefined;
}

/** `end` are the writes of the last transaction. */
async function indexNext(ctx: Context, lists: AllLists, indexing: Indexing, end: Write[]): Promise<Rest> {
  const { table } = ctx;
  const { indexes, listAddresses } = lists;
  if ('record_ids' in indexing) return indexRecords(ctx, lists, indexing, end);
  if ('all_of' in indexing) return indexAll(ctx, indexOf(indexes, indexing.all_of), indexing, end);
  if ('addresses' in indexing) {
    await listAddresses(table, indexing.account_id, indexing.addresses);
    await table.transact(end);
    return undefined;
  }
  const rest =
    'group_id' in indexing
      ? await indexGroup(ctx, indexes, indexing)
      : await indexLinked(ctx, indexes, indexing);
  if (!rest) await table.transact(end);
  return rest;
}

/** One page of the job. The rest is the job that is left, in the table too; undefined when another worker is ahead. */
async function takePage(ctx: Context, lists: AllLists, job: Job): Promise<Job | undefined> {
  const rest = await indexNext(ctx, lists, job.body as unknown as Indexing, [complete(job.id)]);
  if (!rest) return undefined;
  const body = { ...rest };
  return tryUpdate<Job>(ctx.table, keys.job(job.id), { set: { body }, when: { body: job.body } });
}

/** Works on the job until it is complete or the time is up; then another message continues. Idempotent. */
export async function runIndexing(
  ctx: Context,
  lists: AllLists,
  job_id: string,
  timeIsUp: () => boolean,
): Promise<void> {
  let job = await findJob(ctx.table, job_id);
  while (job) {
    job = await takePage(ctx, lists, job);
    if (job && timeIsUp()) return dispatch(ctx, job);
  }
}

function indexingAfter(indexes: RecordIndexes, change: ListChange): Indexing | undefined {
  if ('group_id' in change) {
    const { account_id, group_id, ended } = change;
    return { account_id, group_id, ...(ended ? { ended } : {}) };
  }
  if ('tag_ids' in change) {
    const { type, record_ids } = change;
    const index = indexes[type];
    return index && { record_type: type, record_ids, ...(index.whole ? { and_linked: true } : {}) };
  }
  const { type, id } = change.record;
  const linkable = isLinkable(type);
  if (!indexes[type] && !linkable) return undefined;
  return { record_type: type, record_ids: [id], ...(linkable ? { and_linked: true } : {}) };
}

const idOf = (cause: string) => idFrom('indexing of records', cause);

/** Keeps the lists of records up to date when tags, shares or groups change. */
export function keeperOf(lists: AllLists): ListKeeper {
  return {
    jobAfter(change, now, cause) {
      const indexing = indexingAfter(lists.indexes, change);
      return indexing && indexingJob(indexing, now, cause === undefined ? undefined : idOf(cause));
    },
    async runNow(ctx, job) {
      try {
        const rest = await takePage(ctx, lists, job);
        if (rest) await dispatch(ctx, rest);
      } catch (error) {
        getLogger().warn('lists left to their queue', { job_id: job.id, error: describeError(error) });
        await dispatch(ctx, job);
      }
    },
    resume: (ctx, cause) => dispatchAgain(ctx, idOf(cause)),
  };
}
