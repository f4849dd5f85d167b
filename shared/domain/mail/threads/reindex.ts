import type { Context } from '#shared/context.ts';
import { dispatch, findJob, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, mustNotExist } from '#shared/table/table.ts';
import { indexTags, type TagChange } from './lists/tag-lists.ts';
import { membersOf } from './members.ts';
import { seesThread } from './policy.ts';
import { refreshThread } from './refresh.ts';
import { type GroupReindexing, reindexGroup } from './reindex-group.ts';
import { type MailboxReindexing, reindexMailbox } from './reindex-mailbox.ts';
import type { Thread } from './thread.ts';
import { atOnce, type Turn, untilTimeIsUp } from './turn.ts';

/**
 * Updates users' lists to what they may see, after a tag, a share or access to a mailbox changed. Revoked access is
 * hidden at once; granted threads appear as the work proceeds, newest first.
 */
export type Reindexing =
  | { account_id: string; thread_id: string }
  | TagChange
  | MailboxReindexing
  | GroupReindexing;

/** Milliseconds after which the sweep sends what its request did not: longer than a request may run. */
const UNSENT = 60_000;

/** With an `id` of its own, enqueueing it again finds the same job. */
export function newReindexing(reindexing: Reindexing, now: Date, id?: string): Job {
  return { ...newJob('index-threads', reindexing, now, id), due: now.getTime() + UNSENT, sends: 0 };
}

/** A mailbox that the group has access to is a job of its own, which completes in this turn or continues by itself. */
async function alsoReindex(
  ctx: Context,
  reindexing: MailboxReindexing,
  id: string,
  turn: Turn,
): Promise<void> {
  const job = newReindexing(reindexing, ctx.clock(), id);
  try {
    await ctx.table.put(job, mustNotExist);
  } catch (error) {
    // Enqueued by an earlier run.
    if (!(error instanceof ConditionFailed)) throw error;
  }
  await takeTurn(ctx, id, turn);
}

/** Returns the rest when the turn ended. Idempotent. */
async function reindex(ctx: Context, job: Job, turn: Turn): Promise<Reindexing | undefined> {
  const { table } = ctx;
  const reindexing = job.body as Reindexing;
  if ('mailbox_id' in reindexing) return reindexMailbox(table, reindexing, turn);
  if ('group_id' in reindexing)
    return reindexGroup(table, reindexing, turn, (mailbox_id) => {
      const { account_id, user_ids } = reindexing;
      const id = idFrom('mailbox of a group', job.id, mailbox_id);
      return alsoReindex(ctx, { account_id, mailbox_id, user_ids }, id, turn);
    });
  if ('tag_ids' in reindexing) await indexTags(table, reindexing);
  else {
    const { account_id, thread_id } = reindexing;
    const [members, thread] = await Promise.all([
      membersOf(table, account_id),
      table.get<Thread>(keys.record('threads', thread_id)),
    ]);
    // Most others have no entry, and nothing is written. A share that came or went changes indexes of texts as well.
    const seeing = thread ? members.users.filter((user) => seesThread(user, thread)) : [];
    if (!turn.takes(seeing.length + (thread?.version ?? 0))) return reindexing;
    await refreshThread(table, thread_id, members, members.users);
  }
  return undefined;
}

/** Works on the job until it is complete or the turn ends; then another message continues. */
async function takeTurn(ctx: Context, job_id: string, turn: Turn): Promise<void> {
  const { table } = ctx;
  const job = await findJob(table, job_id);
  if (!job) return;
  const rest = await reindex(ctx, job, turn);
  if (!rest) return table.delete(keys.job(job_id));
  try {
    await table.update<Job>(keys.job(job_id), { set: { body: rest }, when: { body: job.body } });
  } catch (error) {
    // Another worker completed it, or is ahead.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  await dispatch(ctx, { ...job, body: rest });
}

export function runReindexing(ctx: Context, job_id: string, timeIsUp: () => boolean): Promise<void> {
  return takeTurn(ctx, job_id, untilTimeIsUp(timeIsUp));
}

/**
 * Runs a small enqueued job at once, so that a small change is complete with the response. Larger or failed jobs are
 * left to the queue.
 */
export async function reindexNow(ctx: Context, job: Job): Promise<void> {
  try {
    await takeTurn(ctx, job.id, atOnce());
  } catch (error) {
    getLogger().warn('lists left to their queue', { job_id: job.id, error: describeError(error) });
    await dispatch(ctx, job);
  }
}
