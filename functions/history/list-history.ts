import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage } from '#shared/api/shapes.ts';
import { withHistory } from '#shared/composition/history.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { historyEntrySchema } from '#shared/domain/collaboration/history/entry.ts';
import { listHistory as list } from '#shared/domain/collaboration/history/list.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import { pageSize } from '#shared/values.ts';

export const listHistory = route('listHistory', {
  method: 'GET',
  path: onRecord(withHistory, 'history'),
  access: 'read',
  summary: 'List the changes of a record',
  description:
    'Who changed which fields, with the values before and after, newest first, for two years. Records that the ' +
    'key’s user does not see are left out of the values.',
  query: { limit: pageSize(100).default(25), ...forwardCursor },
  returns: { 200: { collection: cursorCollection(historyEntrySchema) } },
  errors: ['invalid_cursor', 'unsupported_cursor_direction'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(
  listHistory,
  async ({ ctx, record, query: { limit, next_cursor } }) => {
    const filters = { record: `${record.type} ${record.id}` };
    const scope = { list: 'history', filters, user_id: ctx.caller.user.id };
    const { after, cursorAt } = cursorsOf(ctx, scope, next_cursor);
    await requireVisible(ctx, record);
    const { entries: records, next } = await list(ctx, record, { limit, after });
    const page_info = forwardPage(limit, cursorAt(next));
    return { collection: { records, page_info, filters: null, slice_key: null } };
  },
  visibility,
);
