import type * as z from 'zod';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { Ref } from '#shared/domain/collaboration/replies/block.ts';
import type { Display } from '#shared/domain/collaboration/replies/display.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { ApiError, type FieldErrors, invalidField } from '#shared/errors.ts';
import { Fields, parseShape } from '#shared/fields.ts';
import { shortened } from '#shared/shortened.ts';
import type { ActionType, Proposal } from '../proposal.ts';

/**
 * Actions that can be proposed. A family adds a file here for each of its action types, a file that lists them, and a
 * line to shared/composition/actions.ts.
 */

/** The ports that actions require. */
export type ActionPorts = SeesRecords & KeepsLists & KnowsActions;

/** `caller` is the user for whom it is prepared or done. */
export type ActionContext = CallerContext<ActionPorts>;

export interface Application extends Change {
  /** The record that it created or changed. */
  applied: Ref;
  /** The data for undoing it, as JSON; null when it cannot be undone. */
  undo: object | null;
  /** Of tag actions. */
  tag_id?: string;
}

/** A change as it would be now. */
export interface Prepared {
  /** The record that it would change; null when it creates one. */
  record: Ref | null;
  /** `updated_at` of that record, for actions that require it unchanged. */
  base_updated_at: string | null;
  display: Display;
  /** Of what it creates: whether everybody in the account sees it. */
  common?: boolean;
  /** Of tag actions; null while the tag does not exist. */
  tag_id: string | null;
  /** The parameters of exactly this change, when those that were sent leave something open. */
  params?: object | undefined;
  apply(proposal_id: string): Promise<Application>;
}

export interface Action<Params = unknown> {
  params: z.ZodType<Params>;
  /** The parameters, described for the assistant. */
  params_hint: string;
  /** Merges changes into the parameters; by default each replaces the one with its name. */
  merge?(params: Params, changes: Record<string, unknown>): Record<string, unknown>;
  /** 404 `record_not_found` or 403 `permission_denied` when the caller may not do it. Has no effect. */
  prepare(ctx: ActionContext, params: Params): Promise<Prepared>;
  /** 422 `proposal_not_undoable` when the record was changed since. */
  undo(ctx: ActionContext, proposal: Proposal): Promise<Change>;
}

/** The actions by type. Other types cannot be proposed yet. */
export type Actions = Partial<Record<ActionType, Action>>;

export interface KnowsActions {
  actions: Actions;
}

/** The action of an existing proposal. */
export function actionOf({ ports }: ActionContext, { action_type }: Proposal): Action {
  const action = ports.actions[action_type];
  if (!action) throw new Error(`Nothing does ${action_type}`);
  return action;
}

/** The error with its fields below the parameter that contained them. */
export function under(parameter: string, error: ApiError): ApiError {
  if (!error.fields) return error;
  const renamed = Object.entries(error.fields).map(([name, field]) => [
    name === '' ? parameter : `${parameter}.${name}`,
    field,
  ]);
  return new ApiError(error.code, { fields: Object.fromEntries(renamed) as FieldErrors });
}

/** A page has 100 proposals. */
const MAX_BYTES = 32 * 1024;

/** 400 `invalid_request` with all problems. */
export function readParams<Params>({ params }: Action<Params>, sent: unknown): Params {
  const fields = new Fields();
  const read = parseShape(params, shortened(params, sent), fields);
  fields.throwIfAny();
  if (Buffer.byteLength(JSON.stringify(read)) > MAX_BYTES)
    throw invalidField('', 'too_long', 'must have at most 32 KB');
  return read as Params;
}

export function notUndoable(): ApiError {
  return new ApiError('proposal_not_undoable');
}
