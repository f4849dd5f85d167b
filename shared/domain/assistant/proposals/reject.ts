import type { WithRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Proposal } from './proposal.ts';
import { answered } from './resolution.ts';
import { proposalWrites } from './store.ts';
import { requirePending } from './visible.ts';

/** 409 `proposal_already_answered`. */
export function rejectProposal(
  services: WithRecords,
  caller: Caller,
  id: string,
  reason: string | null,
  now: Date,
): Promise<Proposal> {
  return retryOnConflict(async () => {
    const proposal = await requirePending(services, caller, id, now);
    const rejected = answered(proposal, 'rejected', { user_id: caller.user.id, now });
    const after = { ...rejected, resolution_reason: reason };
    await services.table.transact(proposalWrites(after, proposal));
    return after;
  });
}
