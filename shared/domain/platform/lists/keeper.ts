import type { Context } from '#shared/context.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import type { QueueName } from '#shared/queues/queues.ts';
import type { RecordType } from '#shared/table/keys.ts';

/**
 * Families that keep a list for each user (mail/threads) write again what a change of tags or access moves there. The
 * change writes their jobs in its own transaction, so that none is lost, and then does the small ones at once.
 */

/** Whom a record is shared with, who is in a group, or, with `ended`, that the group is gone. */
export type AccessChange =
  | { account_id: string; record: { type: RecordType; id: string }; user_ids: string[] }
  | { account_id: string; group_id: string; user_ids: string[]; ended?: true };

/** Records that got tags or lost them. */
export type TagsChange = { account_id: string; type: RecordType; record_ids: string[]; tag_ids: string[] };

export type ListChange = AccessChange | TagsChange;

export interface ListKeeper {
  /** Nothing for what is not in these lists. */
  jobAfter(change: ListChange, now: Date, cause?: string): Job | undefined;
  /** Does a job that was written at once when it is small. What is larger, or fails, is its queue's. */
  runNow(ctx: Context, job: Job): Promise<void>;
  /** Sends the job of this cause again, unless it is done. */
  resume(ctx: Context, cause: string): Promise<void>;
}

/** A family's lists, by the queue of its jobs. */
export interface KeepsLists {
  lists: Partial<Record<QueueName, ListKeeper>>;
}

const keepersOf = ({ ports }: Context<KeepsLists>) => Object.values(ports.lists);

/** With a `cause`, an id of what happened, `resumeLists` finds the jobs again. */
export function listJobs(ctx: Context<KeepsLists>, change: ListChange, cause?: string): Job[] {
  return keepersOf(ctx).flatMap((keeper) => keeper.jobAfter(change, ctx.now, cause) ?? []);
}

/** For a change that is made a second time: sends again what is left of the first. */
export async function resumeLists(ctx: Context<KeepsLists>, cause: string): Promise<void> {
  for (const keeper of keepersOf(ctx)) await keeper.resume(ctx, cause);
}
