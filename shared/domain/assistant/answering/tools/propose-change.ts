import * as z from 'zod';
import type { Actions } from '#shared/domain/assistant/proposals/actions/action.ts';
import { draftProposal } from '#shared/domain/assistant/proposals/propose.ts';
import { ToolRefused } from '../assistant.ts';
import { give, type ToolContext } from './context.ts';

/** Proposals of one reply: a longer list would not be read, and would not fit its transaction. */
const MAX_PROPOSALS = 10;

export function proposal(actions: Actions) {
  const hints = Object.entries(actions).map(([type, { params_hint }]) => `${type}: ${params_hint}.`);
  return {
    action_type: z.enum(Object.keys(actions)),
    params: z.record(z.string(), z.unknown()).meta({ description: hints.join(' ') }),
    rationale: z.string().max(500).optional().meta({ description: 'Why, in a sentence for who decides' }),
  };
}

/** Changes nothing: the proposal is written with the reply, for its user to accept or reject. */
export async function proposeChange(
  ctx: ToolContext,
  { action_type, params, rationale }: z.output<z.ZodObject<ReturnType<typeof proposal>>>,
) {
  const { draft, source } = ctx;
  const { proposal, ...change } = await draftProposal(ctx, {
    action_type,
    params,
    rationale: rationale ?? null,
    agent_slug: null,
    source,
  });
  const { record_type: type, record_id: id } = proposal;
  const target = type && id ? [{ type, id }] : [];
  for (const ref of target) give(ctx, ref.type, [ref.id]);
  const room = draft.proposals < MAX_PROPOSALS;
  if (!room || !draft.add({ type: 'proposal', proposal_id: proposal.id }, target, change))
    throw new ToolRefused('The reply has no room for more');
  return { proposal_id: proposal.id, title: proposal.display.title };
}
