import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { singular, targetTypes } from '#shared/domain/collaboration/records/types.ts';
import { type Posting, postingChanges } from '#shared/domain/platform/postings/posting.ts';
import { type Key, keyOf, keys, type RecordType } from '#shared/table/keys.ts';
import { type Item, mustNotExist, type Write, when } from '#shared/table/table.ts';
import type { Proposal } from './proposal.ts';

/** The posting of a proposal in its user's list of its status: its id, with the fields that lists filter by. */
export type ProposalPosting = Posting &
  Pick<Proposal, 'action_type' | 'agent_slug' | 'record_type' | 'record_id'>;

export const statusList = (status: Proposal['status']) => `proposals:${status}`;

function postingOf(proposal: Proposal): ProposalPosting {
  const { id, user_id, status, action_type, agent_slug, record_type, record_id } = proposal;
  const place = keys.posting(user_id, statusList(status), id);
  return { ...place, action_type, agent_slug, record_type, record_id };
}

/** Marks, under a record, an open proposal to change it, or to make it part of another one. */
export type Target = Item & { proposal_id: string };

/** The record that a proposal would change; undefined when it would create one. */
export function recordOf({ record_type, record_id }: Proposal): { type: RecordType; id: string } | undefined {
  const type = targetTypes.find((each) => singular(each) === record_type);
  return type && record_id !== null ? { type, id: record_id } : undefined;
}

/** The records whose values its display has: of a merge both. */
export function shownRecords(proposal: Proposal): RecordRef[] {
  const record = recordOf(proposal);
  if (!record || proposal.action_type !== 'contact.merge') return record ? [record] : [];
  return [record, { type: record.type, id: JSON.parse(proposal.params).contact_id_to_merge }];
}

/** Either contact of a merge may become part of the other before: their marks stay apart. */
function targetKeys(proposal: Proposal): Key[] {
  const [record, gone] = shownRecords(proposal);
  return [
    ...(record ? [keys.proposalTarget(record.type, record.id, proposal.id)] : []),
    ...(gone ? [keys.proposedMerge(gone.type, gone.id, proposal.id)] : []),
  ];
}

function isOpen({ status }: Proposal): boolean {
  return status === 'pending';
}

function newTargets(proposal: Proposal): Write[] {
  if (!isOpen(proposal)) return [];
  return targetKeys(proposal).map((key) => ({ put: { ...key, proposal_id: proposal.id } }));
}

/** Writes a proposal as it is `after`, with its posting; fails when it changed since it was read as `before`. */
export function proposalWrites(after: Proposal, before?: Proposal): Write[] {
  if (!before) return [{ put: after, when: mustNotExist }, { put: postingOf(after) }, ...newTargets(after)];
  const saved: Write = {
    put: { ...after, version: before.version + 1 },
    when: when<Proposal>({ version: before.version }),
  };
  const { puts, deletes } = postingChanges([postingOf(before)], [postingOf(after)]);
  const targets =
    isOpen(before) && !isOpen(after) ? targetKeys(before).map((key): Write => ({ delete: key })) : [];
  return [saved, ...deletes, ...puts, ...targets];
}

/** Fails when it changed since it was read. */
export function deletion(proposal: Proposal): Write[] {
  return [
    { delete: keys.proposal(proposal.id), when: when<Proposal>({ version: proposal.version }) },
    { delete: keyOf(postingOf(proposal)) },
  ];
}
