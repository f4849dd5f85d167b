import type { Restorable } from '#shared/domain/collaboration/deletions/restorable.ts';
import type { RecordKinds, SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { accessThrough } from '#shared/domain/collaboration/records/policy.ts';
import { linkedTasks } from './dependent.ts';
import { taskIndex } from './lists.ts';
import { requireEditableTask, seesLinkIn } from './policy.ts';
import type { Task } from './task.ts';
import { besidesOf, reminderWrites } from './writes.ts';

/** `kinds` are those of the records that tasks are about. */
export const restorableTasks = (kinds: RecordKinds): Restorable<Task, SeesRecords> => ({
  index: taskIndex(kinds),
  links: [{ kind: 'link', linked: linkedTasks(kinds) }],
  mayDelete: async (ctx, task) =>
    (await accessThrough(task, ctx.caller.user, seesLinkIn(new LinkedRecords(ctx)))) === 'edit',
  require: requireEditableTask,
  back: async ({ now }, after) => ({
    after,
    writes: [...besidesOf(undefined, after), ...reminderWrites(undefined, after, now)],
  }),
});
