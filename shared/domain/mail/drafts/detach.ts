import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { recordNotFound } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireDraft, requireEditable } from './policy.ts';
import { writeDraft } from './writes.ts';

/** 404 for an attachment that the draft does not have; 422 `draft_not_editable`. Its file stays. */
export function detach(ctx: CallerContext, draft_id: string, id: string): Promise<void> {
  return retryOnConflict(async () => {
    const draft = await requireDraft(ctx, draft_id);
    const attachments = draft.attachments.filter((each) => each.id !== id);
    if (attachments.length === draft.attachments.length) throw recordNotFound();
    requireEditable(draft);
    await writeDraft(ctx, draft, { ...draft, attachments });
  });
}
