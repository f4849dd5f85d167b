import type { ActionContext } from '#shared/domain/assistant/proposals/actions/action.ts';
import { listProposalIds, type ProposalChoice } from '#shared/domain/assistant/proposals/list.ts';
import { type Proposal, statusOf } from '#shared/domain/assistant/proposals/proposal.ts';
import { answered } from '#shared/domain/assistant/proposals/resolution.ts';
import { proposalWrites } from '#shared/domain/assistant/proposals/store.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { AgentSlug } from './agent.ts';

/** An agent's own proposals to the caller that nobody has answered. */
export async function unanswered(
  { table, caller, now }: ActionContext,
  choice: { agent_slug: AgentSlug; target?: ProposalChoice['target'] },
): Promise<Proposal[]> {
  const ids = await listProposalIds(table, caller.user.id, { status: 'pending', ...choice }, now);
  const all = await table.getMany<Proposal>(ids.map(keys.proposal));
  return all.filter((proposal) => statusOf(proposal, now) === 'pending');
}

/** Its end, because the agent proposes something else instead. */
export function replaced(proposal: Proposal, resolution_reason: string, now: Date): Write[] {
  const after = answered(proposal, 'rejected', { user_id: null, now });
  return proposalWrites({ ...after, resolution_reason }, proposal);
}
