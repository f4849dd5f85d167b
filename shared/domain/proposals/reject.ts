import type { Table } from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import type { Caller } from '../caller.ts';
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
  return untilUnchanged(async () => {
    const proposal = await requirePending(table, caller, id, now);
    const rejected = answered(proposal, 'rejected', { user_id: caller.user.id, now });
    const after = { ...rejected, resolution_reason: reason };
    await table.transact(proposalWrites(after, proposal));
    return after;
  });
}
