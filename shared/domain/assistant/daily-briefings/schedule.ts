import type { Context } from '#shared/context.ts';
import { doneWrite } from '#shared/domain/collaboration/due/due.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { listApiKeys } from '#shared/domain/identity/credentials/store.ts';
import { listUsedSessions } from '#shared/domain/identity/sessions/store.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { type Change, commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { ConditionFailed } from '#shared/table/table.ts';
import { beginBriefing, type DueMorning, nextMorningWrite } from './begin.ts';
import { dateIn, isBeforeMorning } from './day.ts';

/**
 * Briefings without being asked: each morning of who asked for one, until the user has not been here for a while
 * (docs/decisions/0084-daily-briefings.md).
 */

/** Milliseconds. */
const SEEN_WITHIN = 7 * 86_400_000;

async function wasSeen({ table, caller: { user, account }, now }: CallerContext): Promise<boolean> {
  const used = await Promise.all([
    listUsedSessions(table, user.id, now),
    listApiKeys(table, account.id, user.id),
  ]);
  const since = now.getTime() - SEEN_WITHIN;
  return used.flat().some(({ last_used_at }) => last_used_at !== null && Date.parse(last_used_at) >= since);
}

/** Before the morning in a time zone that the user has moved to, it only waits for it. */
async function morningOf(ctx: CallerContext): Promise<Change> {
  if (!(await wasSeen(ctx))) return noChange;
  const { time_zone } = ctx.caller.user;
  const again: Change = { writes: [nextMorningWrite(ctx)], jobs: [] };
  if (isBeforeMorning(ctx.now, time_zone)) return again;
  const { change } = await beginBriefing(ctx, dateIn(time_zone, ctx.now));
  return change ?? again;
}

/** Work that is due. When the user asks at the same moment, it is left to the next run, which finds the briefing. */
export async function beginMorning(ctx: Context, due: DueMorning): Promise<void> {
  const { account_id, record_id: user_id } = due;
  const caller = await callerFor(ctx.table, { account_id, user_id });
  const change = caller ? await morningOf({ ...ctx, caller }) : noChange;
  try {
    await commit(ctx, together([doneWrite(due)], change));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}
