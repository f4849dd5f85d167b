import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { newId } from '#shared/ids.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { StoredTranscript } from '../event.ts';
import { requireStored } from '../keep.ts';
import { requirePreparableEvent } from '../policy.ts';
import { eventWrite, partsOf, removal } from './parts.ts';
import type { Transcript, TranscriptDraft } from './transcript.ts';

/** Replaces an earlier one. 404 for a hidden event, 403 for one that the caller may not record. */
export function createTranscript(
  ctx: CallerContext,
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
    await ctx.table.transact([eventWrite(event, after), ...puts, ...removal(event.id, event.transcript)]);
    return { language, segments, created_at };
  });
}
