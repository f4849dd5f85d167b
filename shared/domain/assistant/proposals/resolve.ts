import type { Caller } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { acceptProposal } from './accept.ts';
import type { ActionServices } from './actions/action.ts';
import { type ProposalStatus, statusOf } from './proposal.ts';
import { rejectProposal } from './reject.ts';
import { findProposals } from './visible.ts';

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

/** Answers one after the other, whatever becomes of the others; one that is named twice once. */
export async function resolveProposals(
  services: ActionServices,
  caller: Caller,
  ids: string[],
  action: 'accept' | 'reject',
  now: Date,
): Promise<Result[]> {
  const answer = (id: string) =>
    action === 'accept'
      ? acceptProposal(services, caller, id, undefined, now)
      : rejectProposal(services, caller, id, null, now);
  const errors = new Map<string, ApiError | null>();
  for (const id of new Set(ids))
    errors.set(
      id,
      await answer(id).then(
        () => null,
        (error) => failureOf(id, error),
      ),
    );
  const proposals = await findProposals(services, caller, [...errors.keys()]);
  return [...errors].map(([id, error]) => {
    const proposal = proposals.get(id);
    return { id, status: proposal ? statusOf(proposal, now) : 'unavailable', error };
  });
}
