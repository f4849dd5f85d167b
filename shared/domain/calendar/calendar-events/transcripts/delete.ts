import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requirePreparableEvent, requireTranscript } from '../policy.ts';
import { eventWrite, removal } from './parts.ts';

/** 404 `no_transcript` when there is none. */
export function deleteTranscript(ctx: CallerContext, event_id: string): Promise<void> {
  return retryOnConflict(async () => {
    const { event, stored } = await requirePreparableEvent(ctx, event_id);
    const before = requireTranscript(ctx.caller, event);
    requireVersion(ctx, event_id, before);
    await ctx.table.transact([eventWrite(stored ?? event, null), ...removal(event.id, before)]);
  });
}
