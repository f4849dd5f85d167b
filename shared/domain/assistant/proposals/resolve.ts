import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { acceptProposal } from './accept.ts';
import type { ActionContext } from './actions/action.ts';
import { findProposals } from './policy.ts';
import { type ProposalStatus, statusOf } from './proposal.ts';
import { rejectProposal } from './reject.ts';

export interface Result {
  id: string;
  /** `unavailable` when the caller does not see it. */
  status: ProposalStatus | 'unavailable';
  error: ApiError | null;
}

function failureOf(id: string, error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  getLogger().error('proposal not answered', { proposal_id: id, error: describeError(error) });
  return new ApiError('error');
}

/** Answers one after the other, independently; duplicates once. */
export async function resolveProposals(
  ctx: ActionContext,
  ids: string[],
  action: 'accept' | 'reject',
): Promise<Result[]> {
  const answer = (id: string) =>
    action === 'accept' ? acceptProposal(ctx, id, undefined) : rejectProposal(ctx, id, null);
  const errors = new Map<string, ApiError | null>();
  for (const id of new Set(ids))
    errors.set(
      id,
      await answer(id).then(
        () => null,
        (error) => failureOf(id, error),
      ),
    );
  const proposals = await findProposals(ctx, [...errors.keys()]);
  return [...errors].map(([id, error]) => {
    const proposal = proposals.get(id);
    return { id, status: proposal ? statusOf(proposal, ctx.now) : 'unavailable', error };
  });
}
