import type { Context } from '#shared/context.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import type { QueueName } from '#shared/queues/queues.ts';
import type { RecordType } from '#shared/table/keys.ts';

/**
 * Families with a list for each user (mail/threads) update it when tags or access change. The change enqueues their
 * jobs in its own transaction, so none is lost, and runs the small ones at once.
 */

/** A change of a record's shares or of a group's members; with `ended`, the group is gone. */
export type AccessChange =
  | { account_id: string; record: { type: RecordType; id: string }; user_ids: string[] }
  | { account_id: string; group_id: string; user_ids: string[]; ended?: true };

/** Records that gained or lost tags. */
export type TagsChange = { account_id: string; type: RecordType; record_ids: string[]; tag_ids: string[] };

export type ListChange = AccessChange | TagsChange;

export interface ListKeeper {
  /** Undefined when the change does not affect these lists. */
  jobAfter(change: ListChange, now: Date, cause?: string): Job | undefined;
  /** Runs an enqueued job at once when it is small. Larger or failed jobs are left to the queue. */
  runNow(ctx: Context, job: Job): Promise<void>;
  /** Sends the job of this cause again, unless it is complete. */
  resume(ctx: Context, cause: string): Promise<void>;
}

/** The lists of families, by the queue of their jobs. */
export interface KeepsLists {
  lists: Partial<Record<QueueName, ListKeeper>>;
}

const keepersOf = ({ ports }: Context<KeepsLists>) => Object.values(ports.lists);

/** With a `cause`, an id of the event, `resumeLists` finds the jobs again. */
export function listJobs(ctx: Context<KeepsLists>, change: ListChange, cause?: string): Job[] {
  return keepersOf(ctx).flatMap((keeper) => keeper.jobAfter(change, ctx.now, cause) ?? []);
}

/** For a repeated change: sends the remaining jobs of the first one again. */
export async function resumeLists(ctx: Context<KeepsLists>, cause: string): Promise<void> {
  for (const keeper of keepersOf(ctx)) await keeper.resume(ctx, cause);
}
