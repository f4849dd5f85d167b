import { countQuestion } from '#shared/domain/collaboration/replies/limit.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { beginBriefing } from './begin.ts';
import type { DailyBriefing } from './briefing.ts';
import { dateIn } from './day.ts';

/** Begins the briefing for today; `existing` when it is pending or complete already. 429 for too many requests. */
export async function createDailyBriefing(
  ctx: CallerContext,
): Promise<{ briefing: DailyBriefing; existing: boolean }> {
  const { table, config, caller, now } = ctx;
  await countQuestion(table, caller.user.id, config.assistant.questions_per_minute, now);
  return retryOnConflict(async () => {
    const { briefing, change } = await beginBriefing(ctx, dateIn(caller.user.time_zone, now));
    if (change) await commit(ctx, change);
    return { briefing, existing: change === undefined };
  });
}
