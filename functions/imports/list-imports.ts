import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage } from '#shared/api/shapes.ts';
import { importSchema, presentImport } from '#shared/domain/exchange/imports/import.ts';
import { listImports as list } from '#shared/domain/exchange/imports/store.ts';
import { pageSize } from '#shared/values.ts';

export const listImports = route('listImports', {
  method: 'GET',
  path: '/imports',
  access: 'read',
  summary: 'List imports of records',
  description: 'Those of the key’s user, newest first.',
  query: { limit: pageSize(100).default(25), ...forwardCursor },
  returns: { 200: { collection: cursorCollection(importSchema) } },
  errors: ['invalid_cursor'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listImports, async ({ ctx, query }) => {
  const { limit, next_cursor } = query;
  const { id: user_id } = ctx.caller.user;
  const { after, cursorAt } = cursorsOf(ctx, { list: 'record_imports', filters: null, user_id }, next_cursor);
  const { rows, next } = await list(ctx.table, user_id, { limit, after });
  return {
    collection: {
      records: rows.map(presentImport),
      page_info: forwardPage(limit, cursorAt(next)),
      filters: null,
      slice_key: null,
    },
  };
});
