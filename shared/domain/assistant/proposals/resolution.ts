import { newNotification, notify } from '#shared/domain/collaboration/notifications/notification.ts';
import { sendingJobsOf } from '#shared/domain/collaboration/notifications/sending/job.ts';
import { withNamesOf } from '#shared/domain/collaboration/replies/display.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import type { Application, Prepared } from './actions/action.ts';
import type { Proposal } from './proposal.ts';

/** Changes of a proposal's status. */

/** The user who answered; null for an agent. */
export interface Answer {
  user_id: string | null;
  now: Date;
}

export function answered(proposal: Proposal, status: Proposal['status'], { user_id, now }: Answer): Proposal {
  const moment = now.toISOString();
  return { ...proposal, status, resolved_by_user_id: user_id, resolved_at: moment, updated_at: moment };
}

/**
 * The display after a new look at it. Records keep the names that the proposal's user sees: another user who accepts may
 * see other records, and other messages of a thread, under another subject.
 */
export function displayAfter(
  { user_id, display: own }: Proposal,
  { display }: Prepared,
  seer_id: string,
): Proposal['display'] {
  const changes = seer_id === user_id ? display.changes : withNamesOf(own.changes, display.changes);
  return { ...display, summary: own.summary, changes };
}

interface Done {
  params: unknown;
  prepared: Prepared;
  application: Application;
}

/**
 * Whether all who see the proposal may know of the change as it was applied. What another user makes of it may be hidden
 * from its own user, and a new record from other readers of a comment.
 */
function isForAll({ user_id, source }: Proposal, { prepared, application }: Done, seer_id: string): boolean {
  if (application.tag_id !== undefined) return true;
  if (seer_id !== user_id) return false;
  return prepared.record !== null || prepared.common === true || source?.type !== 'comment';
}

/** The proposal with the applied change, which may differ from the proposed one; where that is not for all, it stays. */
export function applied(proposal: Proposal, done: Done, answer: Answer): Proposal {
  const { params, prepared, application } = done;
  const seer_id = answer.user_id ?? proposal.user_id;
  const change = {
    params: JSON.stringify(prepared.params ?? params),
    display: displayAfter(proposal, prepared, seer_id),
  };
  return {
    ...answered(proposal, 'applied', answer),
    ...(isForAll(proposal, done, seer_id) ? change : {}),
    tag_id: application.tag_id ?? prepared.tag_id,
    applied_record_type: application.applied.type,
    applied_record_id: application.applied.id,
    undo: application.undo && JSON.stringify(application.undo),
  };
}

/** Notifies the proposal's user, who always sees it, even if other records are hidden. */
export async function tell(
  ctx: CallerContext,
  { id, user_id, action_type, display }: Proposal,
  event: 'proposal_created' | 'proposal_applied',
): Promise<Change> {
  const { title } = display;
  const payload = { id, record_type: 'proposal', name: title, action_type, display: { title } };
  const prompting_user_id = ctx.caller.user.id === user_id ? null : ctx.caller.user.id;
  const told = newNotification({ user_id, event, payload, prompting_user_id }, ctx.now);
  return { writes: [notify(told)], jobs: await sendingJobsOf(ctx, [told]) };
}
