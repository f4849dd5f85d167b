import type { Context } from '#shared/context.ts';
import type { StoredShare } from '#shared/domain/collaboration/shares/share.ts';
import { complete, dispatch, dispatchAgain, type Job } from '#shared/domain/platform/jobs/job.ts';
import type { ListChange, ListKeeper } from '#shared/domain/platform/lists/keeper.ts';
import { idFrom } from '#shared/ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keys, type RecordType } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, mustExist, type Table, type Write } from '#shared/table/table.ts';
import type { RecordIndex } from './entry.ts';
import { indexRecord } from './index-record.ts';
import { type Indexing, indexingJob } from './job.ts';

/** The lists of the registered types. */
export type RecordIndexes = { readonly [Type in RecordType]?: RecordIndex<never> };

/** Records that a request indexes itself; a worker does so between two checks of its time. */
const AT_ONCE = 25;

type GroupIndexing = Extract<Indexing, { group_id: string }>;
type GroupShareRow = Item & { record_type: RecordType; record_id: string };
type SharedItem = Item & { shares: Record<string, StoredShare> };

const indexOf = (indexes: RecordIndexes, type: RecordType) => indexes[type] as RecordIndex | undefined;

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
async function indexGroup(table: Table, indexes: RecordIndexes, indexing: GroupIndexing): Promise<Rest> {
  const { group_id, ended, after } = indexing;
  const { PK } = keys.groupShare(group_id, 'contacts', '');
  const page = await table.query<GroupShareRow>({
    partition: PK,
    sort: { begins: 'SHARE#' },
    limit: AT_ONCE,
    after: after === undefined ? undefined : { PK, SK: after },
  });
  for (const row of page.items) {
    const index = indexOf(indexes, row.record_type);
    if (!index) continue;
    if (ended) await dropShares(table, group_id, row);
    await indexRecord(table, index, row.record_id);
    if (ended) await table.delete({ PK, SK: row.SK });
  }
  const last = page.items.at(-1)?.SK;
  return page.last && last !== undefined ? { ...indexing, after: last } : undefined;
}

/** `end` are the writes of the last transaction. */
async function indexNext(
  table: Table,
  indexes: RecordIndexes,
  indexing: Indexing,
  end: Write[],
): Promise<Rest> {
  if ('group_id' in indexing) {
    const rest = await indexGroup(table, indexes, indexing);
    if (!rest) await table.transact(end);
    return rest;
  }
  const { record_type, record_ids } = indexing;
  const index = indexOf(indexes, record_type);
  const now = index ? record_ids.slice(0, AT_ONCE) : [];
  const left = index ? record_ids.slice(AT_ONCE) : [];
  for (const [i, id] of now.entries()) {
    const isLast = left.length === 0 && i === now.length - 1;
    await indexRecord(table, index as RecordIndex, id, isLast ? end : []);
  }
  if (now.length === 0) await table.transact(end);
  return left.length > 0 ? { record_type, record_ids: left } : undefined;
}

/** One page of the job. The rest is the job that is left, in the table too; undefined when another worker is ahead. */
async function takePage(ctx: Context, indexes: RecordIndexes, job: Job): Promise<Job | undefined> {
  const body = await indexNext(ctx.table, indexes, job.body as Indexing, [complete(job.id)]);
  if (!body) return undefined;
  try {
    await ctx.table.update<Job>(keys.job(job.id), { set: { body }, when: { body: job.body } });
    return { ...job, body };
  } catch (error) {
    // Another worker completed it, or is ahead.
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
}

/** Works on the job until it is complete or the time is up; then another message continues. Idempotent. */
export async function runIndexing(
  ctx: Context,
  indexes: RecordIndexes,
  job_id: string,
  timeIsUp: () => boolean,
): Promise<void> {
  let job = await ctx.table.get<Job>(keys.job(job_id));
  while (job) {
    job = await takePage(ctx, indexes, job);
    if (job && timeIsUp()) return dispatch(ctx, job);
  }
}

function indexingAfter(indexes: RecordIndexes, change: ListChange): Indexing | undefined {
  if ('group_id' in change) {
    const { account_id, group_id, ended } = change;
    return { account_id, group_id, ...(ended ? { ended } : {}) };
  }
  const { type, ids } =
    'tag_ids' in change
      ? { type: change.type, ids: change.record_ids }
      : { type: change.record.type, ids: [change.record.id] };
  return indexes[type] ? { record_type: type, record_ids: ids } : undefined;
}

const idOf = (cause: string) => idFrom('indexing of records', cause);

/** Keeps the lists of records up to date when tags, shares or groups change. */
export function keeperOf(indexes: RecordIndexes): ListKeeper {
  return {
    jobAfter(change, now, cause) {
      const indexing = indexingAfter(indexes, change);
      return indexing && indexingJob(indexing, now, cause === undefined ? undefined : idOf(cause));
    },
    async runNow(ctx, job) {
      try {
        const rest = await takePage(ctx, indexes, job);
        if (rest) await dispatch(ctx, rest);
      } catch (error) {
        getLogger().warn('lists left to their queue', { job_id: job.id, error: describeError(error) });
        await dispatch(ctx, job);
      }
    },
    resume: (ctx, cause) => dispatchAgain(ctx, idOf(cause)),
  };
}
