import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { commitPlan, type Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { withSent } from './sent.ts';
import type { Task, TaskDraft } from './task.ts';
import { taskChange } from './writes.ts';

/** Of the caller, without anything that was sent; the visibility without links. */
export function emptyTask({ caller, now }: CallerContext, id = newId(now)): Task {
  return {
    ...keys.record('tasks', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name: '',
    description: null,
    due_at: null,
    due_on: null,
    all_day: false,
    reminders: [],
    priority: null,
    assigned_user_id: caller.user.id,
    completed_at: null,
    completed_by_user_id: null,
    links: [],
    proposal_id: null,
    visibility: 'private',
    external_id: null,
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/** 404 for a link or an assignee that the caller does not see. */
export async function planTask(
  ctx: CallerContext<SeesRecords>,
  draft: TaskDraft,
  empty: Task = emptyTask(ctx),
): Promise<Plan<Task>> {
  const sent = await withSent(ctx, empty, draft, new LinkedRecords(ctx));
  const visibility = draft.visibility ?? (sent.links.length > 0 ? 'linked' : 'private');
  const planned = { ...sent, visibility };
  return {
    before: undefined,
    after: planned,
    change: (after = planned) => taskChange(ctx, undefined, after),
  };
}

/** As in `planTask`; 409 `external_id_taken`. */
export async function createTask(
  ctx: CallerContext<SeesRecords & KeepsLists>,
  draft: TaskDraft,
): Promise<Task> {
  return (await commitPlan(ctx, () => planTask(ctx, draft))).after;
}
