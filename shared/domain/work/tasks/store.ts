import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import { findRecords } from '#shared/domain/collaboration/record-lists/find.ts';
import type { Query } from '#shared/domain/collaboration/record-lists/matching.ts';
import type { RecordRef, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isCompleted } from './criteria.ts';
import { isAbout, taskIndex } from './lists.ts';
import { seesLinkIn } from './policy.ts';
import { presentTasks, type Task, type TaskRecord } from './task.ts';

/** Tasks shown with a record that they are about. */
const SHOWN = 200;

/** The tasks that match, by when they are due. */
export function tasksWith(
  ctx: CallerContext<SeesRecords>,
  criteria: Criterion<Task>[],
  linked: LinkedRecords,
): Omit<Query<Task>, 'order'> {
  return { index: taskIndex(ctx.ports.records), criteria, sort: 'due', seesLink: seesLinkIn(linked) };
}

/** The tasks about a record that the caller sees. */
export async function listTasksOf(ctx: CallerContext<SeesRecords>, ref: RecordRef): Promise<TaskRecord[]> {
  const linked = new LinkedRecords(ctx);
  const query: Query<Task> = { ...tasksWith(ctx, [isAbout(ref)], linked), order: 'asc' };
  const { rows } = await findRecords(ctx, query, { limit: SHOWN, after: undefined });
  return presentTasks(rows, linked);
}

/** How many open tasks about a record the caller sees, up to `cap`. */
export async function countOpenTasksOf(
  ctx: CallerContext<SeesRecords>,
  ref: RecordRef,
  cap: number,
): Promise<number> {
  const query = tasksWith(ctx, [isAbout(ref), isCompleted(false)], new LinkedRecords(ctx));
  return (await countRecords(ctx, query, cap)).total;
}
