import type { ActionContext } from '#shared/domain/assistant/proposals/actions/action.ts';
import {
  draftProposal,
  type ProposalDraft,
  planApplication,
} from '#shared/domain/assistant/proposals/propose.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import type { Configuration } from './configuration.ts';

/** What an agent makes of its draft: a proposal, or the change itself. Fails like `draftProposal` and the action. */
export function planOffer(
  ctx: ActionContext,
  mode: Configuration['mode'],
  draft: ProposalDraft,
): Promise<Change> {
  return mode === 'auto_apply' ? planApplication(ctx, draft) : draftProposal(ctx, draft);
}

/** What an agent found is not possible, or not any more. */
export const isImpossible = (error: unknown): boolean =>
  error instanceof ApiError && error.meaning !== 'fault';
