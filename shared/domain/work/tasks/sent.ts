import { linksAfter } from '#shared/domain/collaboration/records/link-fields.ts';
import type { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireActiveUser } from '#shared/domain/identity/users/policy.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { dayOf, readDue } from './due.ts';
import { linking } from './links.ts';
import type { Task, TaskChanges } from './task.ts';

/** Stores the fields that requests send of a task. */

const plainFields = [
  'name',
  'description',
  'all_day',
  'reminders',
  'priority',
  'assigned_user_id',
  'visibility',
  'external_id',
] as const;

/** The time zone of the assignee, else of the caller. 404 for a new assignee who is not an active user. */
async function assigneeZone({ table, caller }: CallerContext, before: Task, assigned_user_id: string | null) {
  const { user, account } = caller;
  if (assigned_user_id === null || assigned_user_id === user.id) return user.time_zone;
  const [assignee] =
    assigned_user_id === before.assigned_user_id
      ? await findUsers(table, account.id, [assigned_user_id])
      : [await requireActiveUser(table, account.id, assigned_user_id)];
  return assignee?.time_zone ?? user.time_zone;
}

/** The task with the sent fields. 404 for a link or an assignee that is not visible. */
export async function withSent(
  ctx: CallerContext,
  before: Task,
  sent: TaskChanges,
  linked: LinkedRecords,
): Promise<Task> {
  const changed = { ...before, ...sentAmong(plainFields, sent) };
  const [links, assignee] = await Promise.all([
    linksAfter(linking, before.links, sent, linked),
    assigneeZone(ctx, before, changed.assigned_user_id),
  ]);
  const { all_day } = changed;
  const zones = { now: ctx.now, own: ctx.caller.user.time_zone, assignee };
  const due_at = sent.due_at === undefined ? before.due_at : readDue(sent.due_at, all_day, zones);
  const sameDay =
    due_at === before.due_at &&
    all_day === before.all_day &&
    changed.assigned_user_id === before.assigned_user_id;
  return { ...changed, links, due_at, due_on: sameDay ? before.due_on : dayOf(due_at, all_day, assignee) };
}
