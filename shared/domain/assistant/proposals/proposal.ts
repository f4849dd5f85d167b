import * as z from 'zod';
import { type Labels, presentRef, type Ref, recordRef } from '#shared/domain/collaboration/replies/block.ts';
import { cut, type Display, proposalDisplay } from '#shared/domain/collaboration/replies/display.ts';
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

/** The automatic agents (docs/specification/assistant.md, "Agents"). */
export const agentSlugs = [
  'auto_tag',
  'auto_task',
  'auto_summarize',
  'auto_deal',
  'auto_enrich',
  'auto_meeting',
] as const;

export type AgentSlug = (typeof agentSlugs)[number];

/** A pending one has expired when its time is over: nothing is written then. */
export const storedStatuses = ['pending', 'applied', 'rejected', 'undone', 'failed'] as const;
export const proposalStatuses = ['pending', 'applied', 'rejected', 'undone', 'expired', 'failed'] as const;

export type ProposalStatus = (typeof proposalStatuses)[number];

const DAY = 86_400_000;
/** Milliseconds in which it can be answered. */
export const ANSWERABLE = 30 * DAY;
const UNDOABLE = 7 * DAY;

/** A proposal as stored. */
export type Proposal = Item & {
  id: string;
  account_id: string;
  /** Whom it is for. */
  user_id: string;
  action_type: ActionType;
  status: (typeof storedStatuses)[number];
  record_type: string | null;
  record_id: string | null;
  applied_record_type: string | null;
  applied_record_id: string | null;
  display: Display;
  /** As JSON text: numbers of JSON may be larger than DynamoDB's. */
  params: string;
  base_updated_at: string | null;
  rationale: string | null;
  resolution_reason: string | null;
  /** Of tag actions. */
  tag_id: string | null;
  agent_slug: AgentSlug | null;
  source: Ref | null;
  resolved_by_user_id: string | null;
  resolved_at: string | null;
  /** JSON text with what undoing it needs; null when it cannot be undone. */
  undo: string | null;
  /** Grows with every change of the proposal. */
  version: number;
  created_at: string;
  updated_at: string | null;
};

const action = z.enum(['accept', 'reject', 'undo']);

const text = (example: string | null) => z.string().nullable().meta({ example });

export const proposalRecord = z
  .strictObject({
    id: uuid,
    user_id: uuid.nullable(),
    action_type: z.enum(actionTypes).meta({ example: 'contact.update' }),
    status: z.enum(proposalStatuses),
    record_type: text('contact'),
    record_id: uuid.nullable(),
    applied_record_type: text(null),
    applied_record_id: uuid.nullable().meta({ example: null }),
    display: proposalDisplay,
    params: z.record(z.string(), z.unknown()).meta({
      example: { record_id: '0198c0de-0000-7000-8000-000000000002', headline: 'Analyst' },
    }),
    base_updated_at: timestamp.nullable(),
    rationale: text('Her signature says so.'),
    resolution_reason: text(null),
    actions: z.array(action).meta({ description: "What the key's user may do now" }),
    tag_id: uuid.nullable().optional().meta({
      description: 'On `tag.apply` and `tag.remove` only; null while a proposed new tag does not exist yet',
    }),
    agent_slug: z.enum(agentSlugs).nullable().meta({ description: 'null: the assistant' }),
    source: recordRef.nullable(),
    resolved_by_user_id: uuid.nullable().meta({ example: null }),
    resolved_at: timestamp.nullable().meta({ example: null }),
    expires_at: timestamp.nullable(),
    created_at: timestamp.nullable(),
    updated_at: timestamp.nullable().meta({ example: null }),
  })
  .meta({ id: 'Proposal' });

const after = (moment: string, milliseconds: number) => Date.parse(moment) + milliseconds;

export function statusOf(proposal: Proposal, now: Date): ProposalStatus {
  const { status, created_at } = proposal;
  return status === 'pending' && after(created_at, ANSWERABLE) <= now.getTime() ? 'expired' : status;
}

export function isUndoable({ status, undo, resolved_at }: Proposal, now: Date): boolean {
  if (status !== 'applied' || undo === null || resolved_at === null) return false;
  return after(resolved_at, UNDOABLE) > now.getTime();
}

/** Everybody who sees a proposal may answer it, with their own rights. */
function actionsOf(proposal: Proposal, now: Date): z.infer<typeof action>[] {
  if (statusOf(proposal, now) === 'pending') return ['accept', 'reject'];
  return isUndoable(proposal, now) ? ['undo'] : [];
}

function isTagAction({ action_type }: Pick<Proposal, 'action_type'>): boolean {
  return action_type === 'tag.apply' || action_type === 'tag.remove';
}

/** What the record of a proposal and its block in a reply have in common. */
function presentCommon(proposal: Proposal, now: Date) {
  return {
    action_type: proposal.action_type,
    status: statusOf(proposal, now),
    record_type: proposal.record_type,
    record_id: proposal.record_id,
    applied_record_type: proposal.applied_record_type,
    applied_record_id: proposal.applied_record_id,
    display: proposal.display,
    resolution_reason: proposal.resolution_reason,
    actions: actionsOf(proposal, now),
    ...(isTagAction(proposal) ? { tag_id: proposal.tag_id } : {}),
  };
}

/** docs/specification/assistant.md, "Blocks". */
export function presentProposalBlock(proposal: Proposal, now: Date) {
  const { id, resolution_reason: reason } = proposal;
  const block = { type: 'proposal' as const, proposal_id: id, ...presentCommon(proposal, now) };
  // An answer has many blocks, and a rejection may have a long reason.
  return { ...block, resolution_reason: reason === null ? null : cut(reason) };
}

/** `labels` has the name of its source. */
export function presentProposal(
  proposal: Proposal,
  labels: Labels,
  now: Date,
): z.input<typeof proposalRecord> {
  return {
    id: proposal.id,
    user_id: proposal.user_id,
    ...presentCommon(proposal, now),
    params: JSON.parse(proposal.params),
    base_updated_at: proposal.base_updated_at,
    rationale: proposal.rationale,
    agent_slug: proposal.agent_slug,
    source: proposal.source && presentRef(proposal.source, labels),
    resolved_by_user_id: proposal.resolved_by_user_id,
    resolved_at: proposal.resolved_at,
    expires_at: new Date(after(proposal.created_at, ANSWERABLE)).toISOString(),
    created_at: proposal.created_at,
    updated_at: proposal.updated_at,
  };
}
