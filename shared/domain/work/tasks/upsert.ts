import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { upsert } from '#shared/domain/collaboration/records/upsert.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { planTask } from './create.ts';
import { requireTask } from './policy.ts';
import type { Task, TaskDraft } from './task.ts';
import { planTaskUpdate } from './update.ts';
import { externalIds } from './writes.ts';

/** Creates a task, or changes the one with this external id. As in `upsert`, `planTask` and `planTaskUpdate`. */
export const upsertTask = (
  ctx: CallerContext<SeesRecords & KeepsLists>,
  draft: TaskDraft,
): Promise<Plan<Task>> =>
  upsert(ctx, {
    external_ids: externalIds,
    external_id: draft.external_id,
    create: () => planTask(ctx, draft),
    update: (id) => planTaskUpdate(ctx, id, draft),
    require: (id) => requireTask(ctx, id),
  });
