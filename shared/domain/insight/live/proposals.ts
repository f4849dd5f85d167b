import { type Proposal, proposalSchema } from '#shared/domain/assistant/proposals/proposal.ts';
import { recordOf, shownRecords } from '#shared/domain/assistant/proposals/store.ts';
import type { CommentPointer } from '#shared/domain/collaboration/comments/comment.ts';
import { keys } from '#shared/table/keys.ts';
import { changedFields, sameNames } from './changed-fields.ts';
import { type Audience, type LiveKind, type News, toAll } from './news.ts';

const shown = {
  ...sameNames(proposalSchema.shape),
  status: ['status', 'actions'],
  undo: ['actions'],
};

/** As policy.ts of proposals says: who sees the record of the comment, and what it would change. */
async function seenInComment({ table, seers }: Audience, proposal: Proposal): Promise<ReadonlySet<string>> {
  const nobody = new Set<string>();
  if (proposal.source?.type !== 'comment') return nobody;
  const pointer = await table.get<CommentPointer>(keys.commentPointer(proposal.source.id));
  if (!pointer || (proposal.record_id !== null && !recordOf(proposal))) return nobody;
  const place = await seers({ type: pointer.record_type, id: pointer.record_id });
  const shown = await Promise.all(shownRecords(proposal).map(seers));
  return new Set([...place].filter((user) => shown.every((each) => each.has(user))));
}

/** Proposals: for their user, and for those who see them in a comment. */
export const proposals: LiveKind = {
  partition: keys.proposal('').PK,
  sort: keys.proposal('').SK,
  news(change): News[] {
    const proposal = (change.after ?? change.before) as Proposal;
    const { id, account_id, user_id } = proposal;
    const changed = changedFields(change, shown);
    const told = async (audience: Audience) =>
      toAll([user_id, ...(await seenInComment(audience, proposal))], changed);
    return [{ kind: 'shared', type: 'proposal.changed', about: { id }, account: account_id, told }];
  },
};
