import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { countRecords } from '#shared/domain/collaboration/record-lists/count.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { taskCriteria, taskFilters } from '#shared/domain/work/tasks/filters.ts';
import { tasksWith } from '#shared/domain/work/tasks/store.ts';
import { countCap, countSchema } from '#shared/values.ts';

export const countTasks = route('countTasks', {
  method: 'GET',
  path: '/tasks/count',
  access: 'read',
  summary: 'Count tasks',
  description:
    'Counts the tasks of the list with the same filters. Exact without `cap`; counting stops at the cap.',
  query: {
    ...taskFilters,
    cap: countCap.optional().meta({ description: 'Counting stops here', example: 1_000 }),
  },
  returns: { 200: { count: countSchema } },
  errors: ['record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(
  countTasks,
  async ({ ctx, query }) => {
    const linked = new LinkedRecords(ctx);
    const criteria = await taskCriteria(ctx, query, { linked });
    return { count: await countRecords(ctx, tasksWith(ctx, criteria, linked), query.cap) };
  },
  visibility,
);
