import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { presentOne } from '#shared/domain/assistant/proposals/present.ts';
import { proposalSchema } from '#shared/domain/assistant/proposals/proposal.ts';
import { rejectProposal as reject } from '#shared/domain/assistant/proposals/reject.ts';
import { text } from '#shared/values.ts';

const reason = text(20_000)
  .transform((sent) => sent.trim() || null)
  .nullish()
  .meta({ description: 'Kept as `resolution_reason`', example: 'She left that company' });

export const rejectProposal = route('rejectProposal', {
  method: 'POST',
  path: '/proposals/{proposal_id}/reject',
  access: 'write',
  summary: 'Reject a proposal',
  body: { reason },
  returns: { 200: { proposal: proposalSchema } },
  errors: ['proposal_already_answered'],
  uses: ['table:write'],
});

export const handler = handle(
  rejectProposal,
  async ({ ctx, params, body }) => {
    const proposal = await reject(ctx, params.proposal_id, body.reason ?? null);
    return presentOne(ctx, proposal);
  },
  visibility,
);
