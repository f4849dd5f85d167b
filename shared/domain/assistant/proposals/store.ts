import { keys } from '#shared/table/keys.ts';
import { type Item, mustNotExist, type Write, when } from '#shared/table/table.ts';
import type { Proposal } from './proposal.ts';

/** What a list needs to know of a proposal to choose it. Its key has the status. */
export type Row = Item & Pick<Proposal, 'id' | 'action_type' | 'agent_slug' | 'record_type' | 'record_id'>;

function rowOf(proposal: Proposal): Row {
  const { id, user_id, status, action_type, agent_slug, record_type, record_id } = proposal;
  return { ...keys.proposalRow(user_id, status, id), id, action_type, agent_slug, record_type, record_id };
}

/**
 * Puts a proposal as it is `after`, with its place among those of its status; fails when somebody changed it since it
 * was read as `before`.
 */
export function proposalWrites(after: Proposal, before?: Proposal): Write[] {
  if (!before) return [{ put: after, when: mustNotExist }, { put: rowOf(after) }];
  const saved: Write = {
    put: { ...after, version: before.version + 1 },
    when: when<Proposal>({ version: before.version }),
  };
  if (after.status === before.status) return [saved];
  const { PK, SK } = rowOf(before);
  return [saved, { delete: { PK, SK } }, { put: rowOf(after) }];
}
