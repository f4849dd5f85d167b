import { type Change, commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type ActionContext, actionOf, notUndoable } from './actions/action.ts';
import { requireProposal } from './policy.ts';
import { isUndoable, type Proposal } from './proposal.ts';
import { answered } from './resolution.ts';
import { proposalWrites } from './store.ts';

/** A later change prevents undoing: the record is gone, or another contact has an address. */
async function planUndo(ctx: ActionContext, proposal: Proposal): Promise<Change> {
  if (!isUndoable(proposal, ctx.now)) throw notUndoable();
  try {
    return await actionOf(ctx, proposal).undo(ctx, proposal);
  } catch (error) {
    if (error instanceof ApiError && error.meaning !== 'denied') throw notUndoable();
    throw error;
  }
}

/**
 * Restores the previous values as the caller, in one transaction with the proposal's own change. 422
 * `proposal_not_undoable` when it is not applied, after 7 days, and when the record was changed since.
 */
export async function undoProposal(ctx: ActionContext, id: string): Promise<Proposal> {
  return retryOnConflict(async () => {
    const before = await requireProposal(ctx, id);
    const change = await planUndo(ctx, before);
    const after = answered(before, 'undone', { user_id: ctx.caller.user.id, now: ctx.now });
    await commit(ctx, together(change, proposalWrites(after, before)));
    return after;
  });
}
