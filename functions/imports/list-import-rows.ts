import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage, sentFilters } from '#shared/api/shapes.ts';
import { importRowSchema, presentRow } from '#shared/domain/exchange/imports/import.ts';
import { requireImport } from '#shared/domain/exchange/imports/policy.ts';
import { listRows } from '#shared/domain/exchange/imports/rows.ts';
import { flag, pageSize } from '#shared/values.ts';

export const listImportRows = route('listImportRows', {
  method: 'GET',
  path: '/imports/{import_id}/rows',
  access: 'read',
  summary: 'List the rows of an import',
  description:
    'What each row became, in the order of the file; in a dry run, what it would become. Empty rows are left out. Results are kept for 30 days.',
  query: {
    failed: flag.optional().meta({ description: 'true: only rows that failed' }),
    limit: pageSize(500).default(100),
    ...forwardCursor,
  },
  returns: { 200: { collection: cursorCollection(importRowSchema) } },
  errors: ['record_not_found', 'invalid_cursor'],
  uses: ['table:read'],
  streams: true,
});

export const handler = handle(listImportRows, async ({ ctx, params, query }) => {
  const { failed = false, limit, next_cursor } = query;
  const found = await requireImport(ctx, params.import_id);
  const filters = sentFilters(query);
  const list = `import_rows:${found.id}:${found.run}`;
  const { after, cursorAt } = cursorsOf(ctx, { list, filters, user_id: found.user_id }, next_cursor);
  const page = await listRows(ctx.table, found, { failed, limit, after: Number(after ?? 0) });
  return {
    collection: {
      records: page.rows.map(presentRow),
      page_info: forwardPage(limit, cursorAt(page.next)),
      filters,
      slice_key: null,
    },
  };
});
