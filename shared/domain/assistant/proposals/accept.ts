import { seers } from '#shared/domain/collaboration/notifications/seers.ts';
import { findActiveUsers } from '#shared/domain/identity/users/store.ts';
import { commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError, type FieldErrors } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  type Action,
  type ActionContext,
  actionOf,
  type Prepared,
  readParams,
  under,
} from './actions/action.ts';
import { movedParams } from './moved-params.ts';
import { requirePending } from './policy.ts';
import type { Proposal } from './proposal.ts';
import { answered, applied, displayAfter, tell } from './resolution.ts';
import { proposalWrites, shownRecords } from './store.ts';

/** Parameters to use instead of the proposed ones. */
type Changes = Record<string, unknown>;

const targetParams = ['record_type', 'record_id', 'contact_id_to_merge'];

/** The target must be the proposed one: only the other parameters may change. */
function refuseAnotherTarget(own: Changes, changes: Changes): void {
  const fields: FieldErrors = {};
  for (const name of targetParams)
    if (name in changes && String(changes[name]).toLowerCase() !== own[name])
      fields[name] = { code: 'not_allowed', message: 'cannot be another one than was proposed' };
  if (Object.keys(fields).length > 0) throw new ApiError('invalid_request', { fields });
}

function merged(action: Action, own: Changes, changes: Changes | undefined): Changes {
  if (!changes) return own;
  refuseAnotherTarget(own, changes);
  return readParams(action, action.merge?.(own, changes) ?? { ...own, ...changes }) as Changes;
}

/** As it would be now. */
async function prepareNow(ctx: ActionContext, proposal: Proposal, params: Changes) {
  const prepare = async (now: Changes) => ({
    params: now,
    prepared: await actionOf(ctx, proposal).prepare(ctx, now),
  });
  try {
    return await prepare(params);
  } catch (error) {
    if (!(error instanceof ApiError) || error.meaning !== 'missing') throw error;
    return prepare(await movedParams(ctx, proposal, params));
  }
}

/** Whether the proposal's user still sees the record that it would change, of a merge both. */
async function isSeenByItsUser(ctx: ActionContext, proposal: Proposal): Promise<boolean> {
  const { table, caller } = ctx;
  if (proposal.user_id === caller.user.id) return true;
  const users = await findActiveUsers(table, caller.account.id, [proposal.user_id]);
  const seeing = await Promise.all(shownRecords(proposal).map((record) => seers(ctx, record, users)));
  return seeing.every((each) => each.has(proposal.user_id));
}

/**
 * Updates the proposal to the current state, so that accepting it afterwards works. Of a record that is hidden from its
 * user, it keeps what that user knows.
 */
async function refresh(ctx: ActionContext, proposal: Proposal, prepared: Prepared): Promise<void> {
  const { table, caller, now } = ctx;
  const { base_updated_at } = prepared;
  const seen = await isSeenByItsUser(ctx, proposal);
  const display = seen ? displayAfter(proposal, prepared, caller.user.id) : proposal.display;
  const after = { ...proposal, display, base_updated_at, updated_at: now.toISOString() };
  await table.transact(proposalWrites(after, proposal));
}

const reasons: Partial<Record<ApiError['meaning'], string>> = {
  denied: 'The user who accepted it may not make this change.',
  missing: 'What it would change, or what it needs for that, is gone or can no longer be seen.',
};

/**
 * Marks a proposal as failed that is no longer possible, but only when its own user tried it with the proposed
 * parameters.
 */
async function failIfImpossible(
  ctx: ActionContext,
  proposal: Proposal,
  error: ApiError,
  possible: () => Promise<boolean>,
): Promise<void> {
  const { table, caller, now } = ctx;
  if (!['denied', 'missing', 'impossible'].includes(error.meaning) || caller.user.id !== proposal.user_id)
    return;
  if (await possible()) return;
  const failed = answered(proposal, 'failed', { user_id: caller.user.id, now });
  const resolution_reason = reasons[error.meaning] ?? error.message;
  await table.transact(proposalWrites({ ...failed, resolution_reason }, proposal));
}

async function apply(
  ctx: ActionContext,
  proposal: Proposal,
  changes: Changes | undefined,
): Promise<Proposal> {
  const { caller, now } = ctx;
  const action = actionOf(ctx, proposal);
  const own = JSON.parse(proposal.params);
  const { params, prepared } = await prepareNow(ctx, proposal, merged(action, own, changes));
  if (prepared.base_updated_at !== proposal.base_updated_at) {
    await refresh(ctx, proposal, changes ? (await prepareNow(ctx, proposal, own)).prepared : prepared);
    throw new ApiError('proposal_stale');
  }
  const application = await prepared.apply(proposal.id);
  const after = applied(proposal, { params, prepared, application }, { user_id: caller.user.id, now });
  const told = caller.user.id === proposal.user_id ? noChange : await tell(ctx, after, 'proposal_applied');
  await commit(ctx, together(application, proposalWrites(after, proposal), told));
  return after;
}

async function accept(ctx: ActionContext, id: string, changes: Changes | undefined): Promise<Proposal> {
  const proposal = await requirePending(ctx, id);
  try {
    return await apply(ctx, proposal, changes);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    await failIfImpossible(ctx, proposal, error, async () => {
      const own = JSON.parse(proposal.params);
      return (
        changes !== undefined &&
        prepareNow(ctx, proposal, own).then(
          () => true,
          () => false,
        )
      );
    });
    throw under('changes', error);
  }
}

/**
 * Applies a proposal as the caller, in one transaction with the proposal's own change; `changes` are parameters to use
 * instead of the proposed ones. 409 `proposal_already_answered`; 409 `proposal_stale` when the record changed since,
 * and the proposal then shows its current state; else the errors of the action, with fields below `changes`. The
 * proposal's user is notified when another user accepts it.
 */
export async function acceptProposal(
  ctx: ActionContext,
  id: string,
  changes: Changes | undefined,
): Promise<Proposal> {
  return retryOnConflict(() => accept(ctx, id, changes));
}
