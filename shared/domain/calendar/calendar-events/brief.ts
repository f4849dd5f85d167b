import { isLive } from '#shared/domain/collaboration/records/live.ts';
import { pendingReply } from '#shared/domain/collaboration/replies/block.ts';
import { countQuestion } from '#shared/domain/collaboration/replies/limit.ts';
import { questionJob } from '#shared/domain/collaboration/replies/question.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { mayAsk } from '#shared/domain/identity/users/policy.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keyOf } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, missing, update } from '#shared/table/table.ts';
import type { CalendarEvent, StoredBrief } from './event.ts';
import { requireStored } from './keep.ts';
import { requirePreparableEvent } from './policy.ts';
import { eventRef } from './writes.ts';

/** What the assistant writes to prepare a meeting, for everybody who sees what the event is about. */

const TEXT =
  'Prepare this meeting for me: who comes, what it is about, and what is open in our mail with these people.';

function jobOf({ caller, now }: CallerContext, event: CalendarEvent, reply_id: string) {
  return questionJob(
    {
      reply_id,
      account_id: caller.account.id,
      user_id: caller.user.id,
      text: TEXT,
      record: eventRef(event.id),
      place: { kind: 'brief', calendar_event_id: event.id },
      source: { type: 'calendar_event', id: event.id },
    },
    now,
  );
}

async function begin(ctx: CallerContext, event: CalendarEvent): Promise<StoredBrief> {
  if (event.brief?.status === 'pending') return event.brief;
  const id = newId(ctx.now);
  const brief: StoredBrief = { ...pendingReply, id, asker_id: ctx.caller.user.id, generated_at: null };
  const same = event.brief ? at('id', event.brief.id) : missing;
  const pending = update<CalendarEvent>(keyOf(event), { set: { brief }, when: { ...isLive, brief: same } });
  await commit(ctx, { writes: [pending], jobs: [jobOf(ctx, event, id)] });
  return brief;
}

/**
 * Asks the assistant for a brief; one that is pending already stays so. 404, then 403, then 422 when the assistant does
 * not answer the caller, then 429.
 */
export async function askForBrief(ctx: CallerContext, id: string): Promise<StoredBrief> {
  const { table, config, caller, now } = ctx;
  await requirePreparableEvent(ctx, id);
  if (!mayAsk(caller, config)) throw new ApiError('assistant_unavailable');
  await countQuestion(table, caller.user.id, config.assistant.questions_per_minute, now);
  return retryOnConflict(async () => begin(ctx, await requireStored(ctx, id, requirePreparableEvent)));
}
