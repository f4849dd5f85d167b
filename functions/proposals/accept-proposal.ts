import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { actions } from '#shared/composition/actions.ts';
import { keeping } from '#shared/composition/keeping.ts';
import { lists } from '#shared/composition/lists.ts';
import { acceptProposal as accept } from '#shared/domain/assistant/proposals/accept.ts';
import { presentOne } from '#shared/domain/assistant/proposals/present.ts';
import { proposalSchema } from '#shared/domain/assistant/proposals/proposal.ts';
import { ofAtMost } from '#shared/values.ts';

/** No action has as many parameters. */
const MAX_CHANGES = 200;

export const acceptProposal = route('acceptProposal', {
  method: 'POST',
  path: '/proposals/{proposal_id}/accept',
  access: 'write',
  summary: 'Accept a proposal',
  description:
    "Applies the proposed change as the key's user, with that user's rights. `changes` are parameters to use instead of " +
    'the proposed ones, with the same names as in `params`; the record cannot be changed. When the record has changed ' +
    'since the proposal, the response is 409 `proposal_stale` and the proposal shows the current record. When the ' +
    'change is no longer possible, the response says why and the proposal becomes `failed`.',
  body: { changes: ofAtMost(MAX_CHANGES, z.record(z.string(), z.unknown())).optional() },
  examples: { body: { changes: { headline: 'Chief analyst' } } },
  returns: { 200: { proposal: proposalSchema } },
  errors: [
    'permission_denied',
    'proposal_already_answered',
    'proposal_stale',
    'email_address_taken',
    'domain_taken',
    'external_id_taken',
    'custom_field_taken',
  ],
  uses: [
    'table:write',
    'bucket:read-bodies',
    'bucket:read-mail',
    'queue:index-threads',
    'queue:index-records',
    'queue:remove-records',
    'queue:push-notifications',
    'queue:sync-calendars',
  ],
});

export const handler = handle(
  acceptProposal,
  async ({ ctx, params, body }) => {
    const proposal = await accept(ctx, params.proposal_id, body.changes);
    return presentOne(ctx, proposal);
  },
  { ...keeping, ...lists, ...actions },
);
