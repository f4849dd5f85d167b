import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { requireProposal } from '#shared/domain/assistant/proposals/policy.ts';
import { presentOne } from '#shared/domain/assistant/proposals/present.ts';
import { proposalSchema } from '#shared/domain/assistant/proposals/proposal.ts';

export const retrieveProposal = route('retrieveProposal', {
  method: 'GET',
  path: '/proposals/{id}',
  access: 'read',
  summary: 'Retrieve a proposal',
  description:
    'Visible to its user and, when it came from a comment, to every user who sees the record of that comment and the ' +
    'record it would change.',
  returns: { 200: { proposal: proposalSchema } },
  uses: ['table:read'],
});

export const handler = handle(
  retrieveProposal,
  async ({ ctx, params }) => presentOne(ctx, await requireProposal(ctx, params.id)),
  visibility,
);
