import type { Caller } from '#shared/domain/identity/caller.ts';
import { updateLists } from '#shared/domain/platform/lists/keeper.ts';
import { ApiError } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type ActionServices, type Change, type Context, notUndoable } from './actions/action.ts';
import { actionOf } from './actions/registry.ts';
import { isUndoable, type Proposal } from './proposal.ts';
import { answered } from './resolution.ts';
import { proposalWrites } from './store.ts';
import { requireProposal } from './visible.ts';

/** What stands in the way of the values before is a change since: the record is gone, or an address is another's. */
async function planUndo(context: Context, proposal: Proposal): Promise<Change> {
  if (!isUndoable(proposal, context.now)) throw notUndoable();
  try {
    return await actionOf(proposal).undo(context, proposal);
  } catch (error) {
    if (error instanceof ApiError && error.status !== 403) throw notUndoable();
    throw error;
  }
}

/**
 * Restores the values before, as the caller and in one transaction with the proposal's own change. 422
 * `proposal_not_undoable` when it is not applied, 7 days later, and when the record was changed since.
 */
export async function undoProposal(
  services: ActionServices,
  caller: Caller,
  id: string,
  now: Date,
): Promise<Proposal> {
  const { table } = services;
  const { proposal, jobs } = await retryOnConflict(async () => {
    const before = await requireProposal(services, caller, id);
    const change = await planUndo({ services, caller, now }, before);
    const after = answered(before, 'undone', { user_id: caller.user.id, now });
    await table.transact([...change.writes, ...proposalWrites(after, before)]);
    return { proposal: after, jobs: change.jobs };
  });
  await updateLists(services, jobs);
  return proposal;
}
