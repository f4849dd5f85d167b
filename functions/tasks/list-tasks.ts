import { cursorsBothWaysOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, cursorsBothWays, pageBothWays, sentFilters } from '#shared/api/shapes.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { findBothWays } from '#shared/domain/collaboration/record-lists/both-ways.ts';
import { takingForGranted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { LinkedRecords } from '#shared/domain/collaboration/records/links.ts';
import { taskCriteria, taskFilters } from '#shared/domain/work/tasks/filters.ts';
import { tasksWith } from '#shared/domain/work/tasks/store.ts';
import { presentTasks, taskSchema } from '#shared/domain/work/tasks/task.ts';
import { pageSize } from '#shared/values.ts';

export const listTasks = route('listTasks', {
  method: 'GET',
  path: '/tasks',
  access: 'read',
  summary: 'List tasks',
  description:
    'The tasks that the key’s user sees, in the order in which they are due, those without a date last. Pages are read forwards and backwards. A page may be shorter when few tasks match the filters: continue while `has_more_after` (or `has_more_before`) is true.',
  query: { ...taskFilters, limit: pageSize(100).default(25), ...cursorsBothWays },
  returns: { 200: { collection: cursorCollection(taskSchema) } },
  errors: ['record_not_found', 'invalid_cursor'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listTasks,
  async ({ ctx, query }) => {
    const filters = sentFilters(query);
    const { slice = null, limit } = query;
    const scope = { list: `tasks:${slice ?? ''}`, filters, user_id: ctx.caller.user.id };
    const { position, cursorsAt } = cursorsBothWaysOf(ctx, scope, query);
    const linked = new LinkedRecords(ctx);
    const page = await takingForGranted(async (granted) => {
      const criteria = await taskCriteria(ctx, query, { linked, granted });
      return findBothWays(ctx, tasksWith(ctx, criteria, linked), { limit, position });
    });
    return {
      collection: {
        records: await presentTasks(page.rows, linked),
        page_info: pageBothWays(limit, cursorsAt(page)),
        filters,
        slice_key: slice,
      },
    };
  },
  visibility,
);
