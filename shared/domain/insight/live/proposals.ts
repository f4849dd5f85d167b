import { type Proposal, proposalSchema } from '#shared/domain/assistant/proposals/proposal.ts';
import { recordOf } from '#shared/domain/assistant/proposals/store.ts';
import type { CommentPointer } from '#shared/domain/collaboration/comments/comment.ts';
import { keys } from '#shared/table/keys.ts';
import { changedFields, sameNames } from './changed-fields.ts';
import { type Audience, type LiveKind, type News, toAll } from './news.ts';

const shown = {
  ...sameNames(proposalSchema.shape),
  status: ['status', 'actions'],
  undo: ['actions'],
};

/** As policy.ts of proposals says: who sees the record of the comment, and the record that it would change. */
async function seenInComment({ table, seers }: Audience, proposal: Proposal): Promise<ReadonlySet<string>> {
  const nobody = new Set<string>();
  if (proposal.source?.type !== 'comment') return nobody;
  const pointer = await table.get<CommentPointer>(keys.commentPointer(proposal.source.id));
  const target = recordOf(proposal);
  if (!pointer || (proposal.record_id !== null && !target)) return nobody;
  const place = await seers({ type: pointer.record_type, id: pointer.record_id });
  if (!target) return place;
  const both = await seers(target);
  return new Set([...place].filter((user) => both.has(user)));
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
