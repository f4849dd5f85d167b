import * as z from 'zod';
import { proposableTypes } from '#shared/domain/assistant/proposals/actions/registry.ts';
import { draftProposal } from '#shared/domain/assistant/proposals/propose.ts';
import { ToolRefused } from '#shared/providers/assistant/assistant.ts';
import { give, type ToolContext } from './context.ts';

/** Proposals of one reply: more would be a list that nobody reads, and not fit its transaction. */
const MAX_PROPOSALS = 10;

export const proposal = {
  action_type: z.enum(proposableTypes),
  params: z.record(z.string(), z.unknown()).meta({
    description:
      'tag.apply: {record_type: "thread" or "contact", record_id, tag_id or tag: {name}}. tag.remove: {record_type, ' +
      'record_id, tag_id}. contact.create: {name, first_name, last_name, headline, email_addresses: ' +
      '[{email_address}], phone_numbers: [{phone_number}], ...}. contact.update: {record_id, and the fields to change}.',
  }),
  rationale: z.string().max(500).optional().meta({ description: 'Why, in a sentence for who decides' }),
};

/** Nothing is changed: the proposal is written with the reply, for its user to accept or reject. */
export async function proposeChange(
  ctx: ToolContext,
  { action_type, params, rationale }: z.output<z.ZodObject<typeof proposal>>,
) {
  const { draft, source } = ctx;
  const { proposal, writes } = await draftProposal(ctx, {
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
  if (!room || !draft.add({ type: 'proposal', proposal_id: proposal.id }, target, writes))
    throw new ToolRefused('The reply has no room for more');
  return { proposal_id: proposal.id, title: proposal.display.title };
}
