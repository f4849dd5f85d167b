import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { replies } from '#shared/composition/replies.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { listRecordComments } from '#shared/domain/collaboration/comments/store.ts';
import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { requireSpace } from '#shared/domain/crm/spaces/policy.ts';
import { presentSpace, spaceSchema } from '#shared/domain/crm/spaces/space.ts';
import { membersOf } from '#shared/domain/crm/spaces/store.ts';
import { countOpenTasksOf, listTasksOf } from '#shared/domain/work/tasks/store.ts';

export const retrieveSpace = route('retrieveSpace', {
  method: 'GET',
  path: '/spaces/{id}',
  access: 'read',
  summary: 'Retrieve a space',
  returns: { 200: { space: spaceSchema } },
  uses: ['table:read'],
  streams: true,
});

/** Threads and open tasks are counted up to this number. */
const CAP = 1_000;

export const handler = handle(
  retrieveSpace,
  async ({ ctx, params }) => {
    const space = await requireSpace(ctx, params.id);
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
    return { space: presentSpace(space, tags, extras) };
  },
  { ...visibility, ...replies, ...interactions },
);
