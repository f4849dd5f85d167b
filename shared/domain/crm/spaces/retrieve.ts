import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import type { KnowsInteractions } from '#shared/domain/collaboration/records/interactions.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { ShowsReplies } from '#shared/domain/collaboration/replies/present.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countOpenTasksOf, listTasksOf } from '#shared/domain/work/tasks/store.ts';
import { requireSpace } from './policy.ts';
import { presentSpace, type SpaceRecord } from './space.ts';
import { membersOf } from './store.ts';

/** Threads and open tasks are counted up to this number. */
const CAP = 1_000;

/** With its members, comments, tasks and threads. 404 for a space that the caller does not see. */
export async function retrieveSpace(
  ctx: CallerContext<SeesRecords & ShowsReplies & KnowsInteractions>,
  id: string,
): Promise<SpaceRecord> {
  const space = await requireSpace(ctx, id);
  const ref = { type: 'spaces' as const, id: space.id };
  const [tags, members, thread_count, open_task_count, comments, tasks] = await Promise.all([
    tagDictionary(ctx.table, ctx.caller.account.id),
    membersOf(ctx, space),
    ctx.ports.countThreadsOf(ctx, space.id),
    countOpenTasksOf(ctx, ref, CAP),
    listRecordComments(ctx, ref),
    listTasksOf(ctx, ref),
  ]);
  const extras = { ...members, thread_count, open_task_count, comments, tasks };
  return presentSpace(space, tags, extras);
}
