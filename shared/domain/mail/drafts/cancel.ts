import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireDraft } from './policy.ts';
import { writeDraft } from './writes.ts';

/** A queued draft becomes one again. 422 `draft_not_cancellable` for any other: of cancelling and sending, one wins. */
export function cancelSending(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const draft = await requireDraft(ctx, id);
    if (draft.status !== 'queued') throw new ApiError('draft_not_cancellable');
    const { sending_id: _, ...rest } = draft;
    await writeDraft(ctx, draft, { ...rest, status: 'draft', send_at: null });
  });
}
