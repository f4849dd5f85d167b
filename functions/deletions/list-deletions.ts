import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { onAllRecords, route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage, sentFilters } from '#shared/api/shapes.ts';
import { deletable } from '#shared/composition/deletions.ts';
import { deletionSchema } from '#shared/domain/collaboration/deletions/deletion.ts';
import { listDeletions as list } from '#shared/domain/collaboration/deletions/list.ts';
import { moment, readMoment } from '#shared/moments.ts';
import { pageSize } from '#shared/values.ts';

export const listDeletions = route('listDeletions', {
  method: 'GET',
  path: onAllRecords(deletable, 'deleted'),
  access: 'read',
  summary: 'List the deleted records of a type',
  description:
    'Records that the key’s user saw when they were deleted or merged into another, the oldest first, for 90 days. ' +
    'Nothing but their ids.',
  query: {
    after: moment.optional().meta({ description: 'Records that were deleted after this time' }),
    limit: pageSize(100).default(50),
    ...forwardCursor,
  },
  returns: { 200: { collection: cursorCollection(deletionSchema) } },
  uses: ['table:read'],
});

export const handler = handle(listDeletions, async ({ ctx, record: { type }, query }) => {
  const { user } = ctx.caller;
  const filters = sentFilters(query);
  const scope = { list: `deletions of ${type}`, filters, user_id: user.id };
  const { after, cursorAt } = cursorsOf(ctx, scope, query.next_cursor);
  const since = query.after === undefined ? undefined : readMoment(query.after, user.time_zone).getTime();
  const { rows: records, next } = await list(ctx, type, { limit: query.limit, since, after });
  const page_info = forwardPage(query.limit, cursorAt(next));
  return { collection: { records, page_info, filters, slice_key: null } };
});
