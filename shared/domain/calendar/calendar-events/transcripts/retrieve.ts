import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEvent, requireTranscript } from '../policy.ts';
import { readSegments } from './parts.ts';
import type { Transcript } from './transcript.ts';

/** 404 `no_transcript` for a visible event without one that the caller sees. */
export function readTranscript(ctx: CallerContext, event_id: string): Promise<Transcript> {
  return retryOnConflict(async () => {
    const { event } = await requireEvent(ctx, event_id);
    const transcript = requireTranscript(ctx.caller, event);
    const segments = await readSegments(ctx.table, event.id, transcript);
    return { language: transcript.language, segments, created_at: transcript.created_at };
  });
}
