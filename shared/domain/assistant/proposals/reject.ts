import type { Caller } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Table } from '#shared/table/table.ts';
import type { Proposal } from './proposal.ts';
import { answered } from './resolution.ts';
import { proposalWrites } from './store.ts';
import { requirePending } from './visible.ts';

/** 409 `proposal_already_answered`. */
export function rejectProposal(
  table: Table,
  caller: Caller,
  id: string,
  reason: string | null,
  now: Date,
): Promise<Proposal> {
  return retryOnConflict(async () => {
    const proposal = await requirePending(table, caller, id, now);
    const rejected = answered(proposal, 'rejected', { user_id: caller.user.id, now });
    const after = { ...rejected, resolution_reason: reason };
    await table.transact(proposalWrites(after, proposal));
    return after;
  });
}
