import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage } from '#shared/api/shapes.ts';
import { exportSchema, presentExport } from '#shared/domain/exchange/exports/export.ts';
import { listExports as list } from '#shared/domain/exchange/exports/store.ts';
import { pageSize } from '#shared/values.ts';

export const listExports = route('listExports', {
  method: 'GET',
  path: '/exports',
  access: 'read',
  summary: 'List exports',
  description: 'Those of the key’s user, newest first, without links to their files.',
  query: { limit: pageSize(100).default(25), ...forwardCursor },
  returns: { 200: { collection: cursorCollection(exportSchema) } },
  errors: ['invalid_cursor'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listExports, async ({ ctx, query }) => {
  const { limit, next_cursor } = query;
  const { id: user_id } = ctx.caller.user;
  const { after, cursorAt } = cursorsOf(ctx, { list: 'record_exports', filters: null, user_id }, next_cursor);
  const { rows, next } = await list(ctx.table, user_id, { limit, after });
  return {
    collection: {
      records: rows.map((each) => presentExport(each)),
      page_info: forwardPage(limit, cursorAt(next)),
      filters: null,
      slice_key: null,
    },
  };
});
