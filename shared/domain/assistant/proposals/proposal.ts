import * as z from 'zod';
import { agentSlugs } from '#shared/domain/assistant/agents/agent.ts';
import {
  type Labels,
  type ProposalBlock,
  presentRef,
  type Ref,
  recordRef,
} from '#shared/domain/collaboration/replies/block.ts';
import { cut, proposalDisplay } from '#shared/domain/collaboration/replies/display.ts';
import { apart, derived, given, narrower, resource, type StoredFields } from '#shared/resource.ts';
import type { Item } from '#shared/table/table.ts';
import { timestamp, uuid } from '#shared/values.ts';

/** Changes that are suggested to a user (docs/specification/assistant.md, "Proposals"). */

export const actionTypes = [
  'contact.create',
  'contact.update',
  'organization.create',
  'organization.update',
  'employment.create',
  'deal.create',
  'deal.update',
  'deal.move',
  'task.create',
  'task.update',
  'task.complete',
  'tag.apply',
  'tag.remove',
  'draft.create',
  'calendar_event.create',
  'contact.merge',
] as const;

export type ActionType = (typeof actionTypes)[number];

/** A pending proposal expires without a write. */
export const storedStatuses = ['pending', 'applied', 'rejected', 'undone', 'failed'] as const;
export const proposalStatuses = ['pending', 'applied', 'rejected', 'undone', 'expired', 'failed'] as const;

export type ProposalStatus = (typeof proposalStatuses)[number];

const DAY = 86_400_000;
/** Milliseconds in which it can be answered. */
export const ANSWERABLE = 30 * DAY;
const UNDOABLE = 7 * DAY;

const action = z.enum(['accept', 'reject', 'undo']);

const text = (example: string | null) => z.string().nullable().meta({ example });

const proposals = resource('Proposal', {
  id: given(uuid),
  user_id: narrower(uuid.nullable(), uuid),
  action_type: given(z.enum(actionTypes).meta({ example: 'contact.update' })),
  status: apart(given(z.enum(proposalStatuses))),
  record_type: given(text('contact')),
  record_id: given(uuid.nullable()),
  applied_record_type: given(text(null)),
  applied_record_id: given(uuid.nullable().meta({ example: null })),
  display: given(proposalDisplay),
  params: apart(
    given(
      z.record(z.string(), z.unknown()).meta({
        example: { record_id: '0198c0de-0000-7000-8000-000000000002', headline: 'Analyst' },
      }),
    ),
  ),
  base_updated_at: given(timestamp.nullable()),
  rationale: given(text('Her signature says so.')),
  resolution_reason: given(text(null)),
  actions: derived(z.array(action).meta({ description: "What the key's user may do now" })),
  tag_id: apart(
    given(
      uuid.nullable().optional().meta({
        description: 'On `tag.apply` and `tag.remove` only; null while a proposed new tag does not exist yet',
      }),
    ),
  ),
  agent_slug: given(z.enum(agentSlugs).nullable().meta({ description: 'null: the assistant' })),
  source: apart(given(recordRef.nullable())),
  resolved_by_user_id: given(uuid.nullable().meta({ example: null })),
  resolved_at: given(timestamp.nullable().meta({ example: null })),
  expires_at: derived(timestamp.nullable()),
  created_at: narrower(timestamp.nullable(), timestamp),
  updated_at: given(timestamp.nullable().meta({ example: null })),
});

/** A proposal as stored. `user_id` is the user it is for. */
export type Proposal = Item &
  StoredFields<typeof proposals.fields> & {
    account_id: string;
    status: (typeof storedStatuses)[number];
    /** As JSON text: JSON numbers may exceed DynamoDB's range. */
    params: string;
    /** Of tag actions. */
    tag_id: string | null;
    source: Ref | null;
    /** JSON text with the data for undoing it; null when it cannot be undone. */
    undo: string | null;
    /** Grows with every change, for optimistic locking. */
    version: number;
  };

export const proposalSchema = proposals.response;

const after = (moment: string, milliseconds: number) => Date.parse(moment) + milliseconds;

export function statusOf(proposal: Proposal, now: Date): ProposalStatus {
  const { status, created_at } = proposal;
  return status === 'pending' && after(created_at, ANSWERABLE) <= now.getTime() ? 'expired' : status;
}

export function isUndoable({ status, undo, resolved_at }: Proposal, now: Date): boolean {
  if (status !== 'applied' || undo === null || resolved_at === null) return false;
  return after(resolved_at, UNDOABLE) > now.getTime();
}

/** Every user who sees a proposal may answer it, with that user's rights. */
function actionsOf(proposal: Proposal, now: Date): z.infer<typeof action>[] {
  if (statusOf(proposal, now) === 'pending') return ['accept', 'reject'];
  return isUndoable(proposal, now) ? ['undo'] : [];
}

function isTagAction({ action_type }: Pick<Proposal, 'action_type'>): boolean {
  return action_type === 'tag.apply' || action_type === 'tag.remove';
}

/** Fields that depend on the time. */
function shownAt(proposal: Proposal, now: Date) {
  return { status: statusOf(proposal, now), actions: actionsOf(proposal, now) };
}

/** docs/specification/assistant.md, "Blocks". */
export function presentProposalBlock(proposal: Proposal, now: Date): ProposalBlock {
  const { resolution_reason: reason } = proposal;
  return {
    type: 'proposal',
    proposal_id: proposal.id,
    action_type: proposal.action_type,
    record_type: proposal.record_type,
    record_id: proposal.record_id,
    applied_record_type: proposal.applied_record_type,
    applied_record_id: proposal.applied_record_id,
    display: proposal.display,
    // A reply has many blocks, and a rejection may have a long reason.
    resolution_reason: reason === null ? null : cut(reason),
    ...shownAt(proposal, now),
    ...(isTagAction(proposal) ? { tag_id: proposal.tag_id } : {}),
  };
}

/** `labels` contains the name of its source. */
export function presentProposal(
  proposal: Proposal,
  labels: Labels,
  now: Date,
): z.input<typeof proposalSchema> {
  return proposals.present(proposal, {
    ...shownAt(proposal, now),
    params: JSON.parse(proposal.params),
    tag_id: isTagAction(proposal) ? proposal.tag_id : undefined,
    source: proposal.source && presentRef(proposal.source, labels),
    expires_at: new Date(after(proposal.created_at, ANSWERABLE)).toISOString(),
  });
}
