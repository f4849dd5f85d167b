import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError } from '#shared/errors.ts';
import { keyOf } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import type { Draft } from './draft.ts';
import { requireDraft } from './policy.ts';
import { asItWas } from './writes.ts';

/** Fails when it changed since it was read. */
export const draftDeletion = (draft: Draft): Write => ({ delete: keyOf(draft), when: asItWas(draft) });

/** 422 `draft_not_editable` once it is being sent. A queued one is not sent. Files that it had stay. */
export function deleteDraft(ctx: CallerContext, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const draft = await requireDraft(ctx, id);
    requireVersion(ctx, id, draft);
    if (draft.status === 'sending' || draft.status === 'sent') throw new ApiError('draft_not_editable');
    await ctx.table.transact([draftDeletion(draft)]);
  });
}
