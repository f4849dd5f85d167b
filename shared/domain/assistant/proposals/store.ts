import { type Posting, postingChanges } from '#shared/domain/platform/postings/posting.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Write, when } from '#shared/table/table.ts';
import type { Proposal } from './proposal.ts';

/** A proposal's place among those of its user that have its status: its id, with what lists are filtered by. */
export type ProposalPosting = Posting &
  Pick<Proposal, 'action_type' | 'agent_slug' | 'record_type' | 'record_id'>;

export const statusList = (status: Proposal['status']) => `proposals:${status}`;

function postingOf(proposal: Proposal): ProposalPosting {
  const { id, user_id, status, action_type, agent_slug, record_type, record_id } = proposal;
  const place = keys.posting(user_id, statusList(status), id);
  return { ...place, action_type, agent_slug, record_type, record_id };
}

/**
 * Puts a proposal as it is `after`, with its place among those of its status; fails when somebody changed it since it
 * was read as `before`.
 */
export function proposalWrites(after: Proposal, before?: Proposal): Write[] {
  if (!before) return [{ put: after, when: mustNotExist }, { put: postingOf(after) }];
  const saved: Write = {
    put: { ...after, version: before.version + 1 },
    when: when<Proposal>({ version: before.version }),
  };
  const { puts, deletes } = postingChanges([postingOf(before)], [postingOf(after)]);
  return [saved, ...deletes, ...puts];
}
