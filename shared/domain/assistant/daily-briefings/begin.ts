import { type DueWork, dueWrite } from '#shared/domain/collaboration/due/due.ts';
import { pendingReply } from '#shared/domain/collaboration/replies/block.ts';
import { questionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Write, when } from '#shared/table/table.ts';
import type { DailyBriefing } from './briefing.ts';
import { briefingId, nextMorning } from './day.ts';
import { findBriefing } from './store.ts';

/** Has the briefing of a day written. */

/** A user who waits for the next morning. */
export type DueMorning = DueWork<'users'> & { account_id: string };

export function nextMorningWrite({ caller: { user, account }, now }: CallerContext): Write {
  const at = nextMorning(now, user.time_zone);
  const { put } = dueWrite<'users'>('brief', { type: 'users', id: user.id }, at, now);
  return { put: { ...put, account_id: account.id } };
}

function jobOf({ caller, now }: CallerContext, { id, date, reply_id }: DailyBriefing) {
  return questionJob(
    {
      reply_id,
      account_id: caller.account.id,
      user_id: caller.user.id,
      text: '',
      record: null,
      place: { kind: 'briefing', date },
      source: { type: 'daily_briefing', id },
    },
    now,
  );
}

function newBriefing(
  { caller: { user, account }, now }: CallerContext,
  date: string,
  before: DailyBriefing | undefined,
): DailyBriefing {
  return {
    ...keys.dailyBriefing(user.id, date),
    ...{ id: briefingId(user.id, date), account_id: account.id, user_id: user.id },
    ...{ date, time_zone: user.time_zone },
    reply_id: newId(now),
    reply: pendingReply,
    sections: [],
    read_at: null,
    created_at: before?.created_at ?? now.toISOString(),
    updated_at: before ? now.toISOString() : null,
  };
}

/**
 * The briefing of a day, and what begins it with the wait for the next morning: nothing for one that is pending or
 * complete. Two at once cannot both begin it.
 */
export async function beginBriefing(
  ctx: CallerContext,
  date: string,
): Promise<{ briefing: DailyBriefing; change: Change | undefined }> {
  const before = await findBriefing(ctx.table, ctx.caller.user.id, date);
  if (before && before.reply.status !== 'failed') return { briefing: before, change: undefined };
  const briefing = newBriefing(ctx, date, before);
  const asItWas = before ? when<DailyBriefing>({ reply_id: before.reply_id }) : mustNotExist;
  const writes: Write[] = [{ put: briefing, when: asItWas }, nextMorningWrite(ctx)];
  return { briefing, change: { writes, jobs: [jobOf(ctx, briefing)] } };
}
