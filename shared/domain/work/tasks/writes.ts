import { linkWrites } from '#shared/domain/collaboration/record-lists/linked.ts';
import { recordChange, recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { assignmentNotice } from '#shared/domain/collaboration/records/assignee.ts';
import { ExternalIds } from '#shared/domain/collaboration/records/external-ids.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { waitingWrites } from '#shared/domain/collaboration/reminders/waiting.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import type { AllOf, Write } from '#shared/table/table.ts';
import { taskIndex } from './lists.ts';
import { nextReminder } from './reminders.ts';
import type { Task } from './task.ts';

export const externalIds = new ExternalIds('tasks');

/** The external id of a task, and the rows of its links. */
export function besidesOf(before: Task | undefined, after: Task | undefined): Write[] {
  const id = (after ?? before)?.id ?? '';
  const links = linkWrites({ type: 'tasks', id }, before?.links ?? [], after?.links ?? []);
  return [...externalIds.change(before, after), ...links];
}

/** For its first reminder, when that is another one than before. */
export function reminderWrites(before: Task | undefined, after: Task, now: Date): Write[] {
  const next = (task: Task) => nextReminder(task, now.getTime());
  const moments = { before: before && next(before), after: next(after) };
  return waitingWrites({ type: 'tasks', id: after.id }, moments, now);
}

/**
 * The change that creates or changes a task, with its external id, its links, its lists, its next reminder and the
 * notification of its assignee. It fails when another request changes one of these. 409 `external_id_taken`.
 */
export async function taskChange(
  ctx: CallerContext<SeesRecords>,
  before: Task | undefined,
  after: Task,
): Promise<Change> {
  if (before === after) return noChange;
  const own = [...besidesOf(before, after), ...reminderWrites(before, after, ctx.now)];
  const besides = assignmentNotice(ctx, 'task', before, after).then((notice) => together(own, notice));
  return recordChange(ctx, taskIndex(ctx.ports.records), { before, after, besides });
}

/**
 * The change that marks a task as deleted. Its external id is free at once. It fails when another request changes the
 * task, or when a further condition does not hold.
 */
export function taskDeletion(
  ctx: CallerContext<SeesRecords>,
  task: Task,
  further: AllOf<Task> = {},
): Promise<Change> {
  return recordDeletion(ctx, taskIndex(ctx.ports.records), task, besidesOf(task, undefined), further);
}
