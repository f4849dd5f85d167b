import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { actions } from '#shared/composition/actions.ts';
import { lists } from '#shared/composition/lists.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { presentOne } from '#shared/domain/assistant/proposals/present.ts';
import { proposalSchema } from '#shared/domain/assistant/proposals/proposal.ts';
import { undoProposal as undo } from '#shared/domain/assistant/proposals/undo.ts';

export const undoProposal = route('undoProposal', {
  method: 'POST',
  path: '/proposals/{proposal_id}/undo',
  access: 'write',
  summary: 'Undo an applied proposal',
  description:
    'Within 7 days, unless the record has changed since: restores the previous values, and removes what was created. ' +
    'A new tag stays in the account.',
  returns: { 200: { proposal: proposalSchema } },
  errors: ['permission_denied', 'proposal_not_undoable'],
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
  undoProposal,
  async ({ ctx, params }) => {
    const proposal = await undo(ctx, params.proposal_id);
    return presentOne(ctx, proposal);
  },
  { ...visibility, ...lists, ...actions },
);
