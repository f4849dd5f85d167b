import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requirePending } from './policy.ts';
import type { Proposal } from './proposal.ts';
import { answered } from './resolution.ts';
import { proposalWrites } from './store.ts';

/** 409 `proposal_already_answered`. */
export function rejectProposal(
  ctx: CallerContext<SeesRecords>,
  id: string,
  reason: string | null,
): Promise<Proposal> {
  return retryOnConflict(async () => {
    const proposal = await requirePending(ctx, id);
    const rejected = answered(proposal, 'rejected', { user_id: ctx.caller.user.id, now: ctx.now });
    const after = { ...rejected, resolution_reason: reason };
    await ctx.table.transact(proposalWrites(after, proposal));
    return after;
  });
}
