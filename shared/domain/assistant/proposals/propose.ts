import type { AgentSlug } from '#shared/domain/assistant/agents/agent.ts';
import { keep } from '#shared/domain/collaboration/records/registry.ts';
import type { Ref } from '#shared/domain/collaboration/replies/block.ts';
import { type Change, commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError, invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed, type Write } from '#shared/table/table.ts';
import { type Action, type ActionContext, type Prepared, readParams, under } from './actions/action.ts';
import { whileRecordsLive } from './policy.ts';
import { type ActionType, actionTypes, type Proposal } from './proposal.ts';
import { applied, tell } from './resolution.ts';
import { proposalWrites, recordOf } from './store.ts';

/** What the assistant or an agent suggests to the caller. */
export interface ProposalDraft {
  action_type: string;
  /** In the form of the action: ./actions. */
  params: unknown;
  rationale: string | null;
  /** null: the assistant. */
  agent_slug: AgentSlug | null;
  /** The comment, thread, calendar event or conversation it comes from. */
  source: Ref | null;
  /** `updated_at` of the record that the parameters follow from. ConditionFailed when it changed since. */
  base_updated_at?: string | null;
}

const MAX_RATIONALE = 2_000;

interface Drafted {
  proposal: Proposal;
  params: unknown;
  prepared: Prepared;
}

function readActionType({ ports }: ActionContext, sent: string): { type: ActionType; action: Action } {
  const type = actionTypes.find((each) => each === sent);
  const action = type && ports.actions[type];
  if (!action) throw invalidField('action_type', 'invalid', 'cannot be proposed');
  return { type, action };
}

async function prepareParams(ctx: ActionContext, action: Action, sent: unknown) {
  try {
    const params = readParams(action, sent);
    const prepared = await action.prepare(ctx, params);
    if (prepared.display.changes.length === 0) throw invalidField('', 'invalid', 'would change nothing');
    return { params, prepared };
  } catch (error) {
    throw error instanceof ApiError ? under('params', error) : error;
  }
}

async function prepareDraft(ctx: ActionContext, draft: ProposalDraft): Promise<Drafted> {
  const { caller, now } = ctx;
  const { type, action } = readActionType(ctx, draft.action_type);
  if (draft.rationale !== null && [...draft.rationale].length > MAX_RATIONALE)
    throw invalidField('rationale', 'too_long', `must have at most ${MAX_RATIONALE} characters`);
  const { params, prepared } = await prepareParams(ctx, action, draft.params);
  if (draft.base_updated_at !== undefined && draft.base_updated_at !== prepared.base_updated_at)
    throw new ConditionFailed(undefined);
  const id = newId(now);
  const proposal: Proposal = {
    ...keys.proposal(id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    action_type: type,
    status: 'pending',
    record_type: prepared.record?.type ?? null,
    record_id: prepared.record?.id ?? null,
    applied_record_type: null,
    applied_record_id: null,
    display: prepared.display,
    params: JSON.stringify(prepared.params ?? params),
    base_updated_at: prepared.base_updated_at,
    rationale: draft.rationale,
    resolution_reason: null,
    tag_id: prepared.tag_id,
    agent_slug: draft.agent_slug,
    source: draft.source,
    resolved_by_user_id: null,
    resolved_at: null,
    undo: null,
    version: 1,
    created_at: now.toISOString(),
    updated_at: null,
  };
  return { proposal, params, prepared };
}

/**
 * A proposal for the caller, with the change that creates it and notifies the caller, for the transaction that proposes
 * it. 400 `invalid_request` with fields below `params`, 404 `record_not_found` and 403 `permission_denied` as the
 * action returns them.
 */
export async function draftProposal(
  ctx: ActionContext,
  draft: ProposalDraft,
): Promise<Change & { proposal: Proposal }> {
  const { proposal } = await prepareDraft(ctx, draft);
  const record = recordOf(proposal);
  if (record) await keep(ctx, record);
  const told = await tell(ctx, proposal, 'proposal_created');
  return { proposal, ...together(proposalWrites(proposal), whileRecordsLive(proposal), told) };
}

/**
 * For agents that apply changes themselves: the proposal applied as the caller, who is notified. Fails like
 * `draftProposal` and the action.
 */
export async function planApplication(
  ctx: ActionContext,
  draft: ProposalDraft,
): Promise<Change & { proposal: Proposal }> {
  const {
    proposal: drafted,
    params,
    prepared,
  } = await prepareDraft({ ...ctx, by_agent: draft.agent_slug ?? 'assistant' }, draft);
  const application = await prepared.apply(drafted.id);
  const after = applied(drafted, { params, prepared, application }, { user_id: null, now: ctx.now });
  const told = await tell(ctx, after, 'proposal_applied');
  return { proposal: after, ...together(application, proposalWrites(after), told) };
}

/** Applies it at once, with the agent's own writes. Fails like them too. */
export async function applyAsAgent(
  ctx: ActionContext,
  draft: ProposalDraft,
  own: Write[] = [],
): Promise<Proposal> {
  return retryOnConflict(async () => {
    const { proposal, ...change } = await planApplication(ctx, draft);
    await commit(ctx, together(change, own));
    return proposal;
  });
}
