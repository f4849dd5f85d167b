import type { Context } from '#shared/context.ts';
import type { KnowsDependents } from '#shared/domain/collaboration/life/dependent.ts';
import { type RemovedRecord, removeRecord } from '#shared/domain/collaboration/life/end.ts';
import type { ListedItem } from '#shared/domain/collaboration/record-lists/listed-item.ts';
import { recordReturn, returned } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { isThere, type Resting } from '#shared/domain/collaboration/records/live.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit } from '#shared/domain/platform/jobs/commit.ts';
import { dispatch, dispatchAgain, type Job } from '#shared/domain/platform/jobs/job.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { recordNotFound } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { isRestorable, type Restorable } from './restorable.ts';
import { withStandingLinks } from './standing-links.ts';

/** Restores deleted records (docs/specification/records.md, "Deletions"). */

type Ports = KnowsDependents & KeepsLists;

type Ctx<Own extends object> = CallerContext<Ports & Own>;

async function planReturn<R extends ListedItem, Own extends object>(
  ctx: Ctx<Own>,
  family: Restorable<R, Own>,
  gone: R & Resting,
): Promise<Change> {
  let record = returned<R>(gone, ctx.now);
  const former: Write[] = [];
  for (const linking of family.links) {
    const standing = await withStandingLinks(ctx.table, linking, record);
    record = standing.after;
    former.push(...standing.writes);
  }
  const { after, writes } = await family.back(ctx, record);
  return recordReturn(ctx, family.index, { gone, after, besides: [...writes, ...former] });
}

/** Undefined when there is nothing to do: the record is there. */
async function plan<R extends ListedItem, Own extends object>(
  ctx: Ctx<Own>,
  family: Restorable<R, Own>,
  id: string,
): Promise<Change | undefined> {
  const { type } = family.index;
  const item: R | undefined = await ctx.table.get<R>(keys.record(type, id));
  const account_id = item?.account_id;
  if (isThere(item)) {
    await family.require(ctx, id);
    return undefined;
  }
  if (
    account_id !== ctx.caller.account.id ||
    !isRestorable<R>(type, item, ctx.now) ||
    !(await family.mayDelete(ctx, item))
  )
    throw recordNotFound();
  return planReturn(ctx, family, item);
}

/** Milliseconds for which a request itself brings back what the record lost; then its queue goes on. */
const OWN_TIME = 5_000;

async function bringBack(ctx: Context<Ports>, job: Job): Promise<void> {
  const start = ctx.clock().getTime();
  const timeIsUp = () => ctx.clock().getTime() - start > OWN_TIME;
  try {
    const ended = await removeRecord(ctx, job.id, job.body as unknown as RemovedRecord, timeIsUp);
    if (ended === 'more') await dispatchAgain(ctx, job.id);
  } catch (error) {
    getLogger().warn('links left to their queue', { job_id: job.id, error: describeError(error) });
    await dispatch(ctx, job);
  }
}

/**
 * 404 for a record that was not deleted within 30 days, or that the caller could not have deleted; 403 for one that is
 * there and that the caller may only look at. A repeat changes nothing. The errors of a new record when another one has
 * its names, or the account has no room.
 */
export async function restoreRecord<R extends ListedItem, Own extends object>(
  ctx: Ctx<Own>,
  family: Restorable<R, Own>,
  id: string,
): Promise<void> {
  const change = await retryOnConflict(async () => {
    const planned = await plan(ctx, family, id);
    if (planned) await commit(ctx, planned);
    return planned;
  });
  for (const job of change?.jobs ?? []) if (job.queue === 'remove-records') await bringBack(ctx, job);
}
