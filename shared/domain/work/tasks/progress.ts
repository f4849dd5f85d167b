import { tally } from '#shared/domain/collaboration/record-lists/tally.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { taskIndex } from './lists.ts';

/** How far milestones are, by the tasks that the caller sees. */

export interface Progress {
  task_count: number;
  completed_task_count: number;
}

/** Of a milestone without tasks. */
export const noProgress: Progress = { task_count: 0, completed_task_count: 0 };

/** By the id of the milestone, for those with tasks: of all, or of one. */
export async function progressOfMilestones(
  ctx: CallerContext<SeesRecords>,
  milestone_id?: string,
): Promise<Map<string, Progress>> {
  const counts = await tally(ctx, taskIndex(ctx.ports.records), 'progress', milestone_id);
  const all = new Map<string, Progress>();
  for (const [value, count] of counts) {
    const [id = '', status] = value.split('#');
    const { task_count, completed_task_count } = all.get(id) ?? noProgress;
    all.set(id, {
      task_count: task_count + count,
      completed_task_count: completed_task_count + (status === 'completed' ? count : 0),
    });
  }
  return all;
}
