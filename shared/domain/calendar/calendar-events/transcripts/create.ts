import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { newId } from '#shared/ids.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { StoredTranscript } from '../event.ts';
import { requireStored } from '../keep.ts';
import { requirePreparableEvent } from '../policy.ts';
import type { FollowsMeetings } from './follow.ts';
import { eventWrite, partsOf, removal } from './parts.ts';
import type { Transcript, TranscriptDraft } from './transcript.ts';

/** Replaces an earlier one, and the brief by that of the meeting when an agent writes it. 404 for a hidden event, 403 for one that the caller may not record. */
export function createTranscript(
  ctx: CallerContext<FollowsMeetings>,
  event_id: string,
  { language = null, segments: sent }: TranscriptDraft,
): Promise<Transcript> {
  const segments = sent.map(({ speaker = null, email_address = null, ...rest }) => ({
    speaker,
    email_address,
    ...rest,
  }));
  return retryOnConflict(async () => {
    const event = await requireStored(ctx, event_id, requirePreparableEvent);
    const id = newId(ctx.now);
    const created_at = event.transcript
      ? nextMoment({ ...event.transcript, updated_at: null }, ctx.now)
      : ctx.now.toISOString();
    const parts = partsOf(event.id, id, segments);
    const after: StoredTranscript = { id, language, parts: parts.length, created_at };
    const puts = parts.map((put) => ({ put }));
    const follow = await ctx.ports.followMeeting(ctx, event, id);
    const writes = [eventWrite(event, after, follow?.brief), ...puts, ...removal(event.id, event.transcript)];
    await commit(ctx, { writes, jobs: follow ? [follow.job] : [] });
    return { language, segments, created_at };
  });
}
