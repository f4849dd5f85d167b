import { cursorsOf } from '#shared/api/cursors.ts';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { cursorCollection, forwardCursor, forwardPage } from '#shared/api/shapes.ts';
import { mailImportSchema, presentImport } from '#shared/domain/mail/imports/import.ts';
import { listImports } from '#shared/domain/mail/imports/list.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { pageSize } from '#shared/values.ts';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;

export const listMailImports = route('listMailImports', {
  method: 'GET',
  path: '/mailboxes/{mailbox_id}/imports',
  access: 'read',
  summary: 'List the imports of a mailbox',
  description:
    'Newest first, running ones included. The failures of an import are counted here, and listed when it is retrieved.',
  query: { limit: pageSize(MAX_LIMIT).optional(), ...forwardCursor },
  returns: { 200: { collection: cursorCollection(mailImportSchema) } },
  errors: ['record_not_found', 'invalid_cursor', 'unsupported_cursor_direction'],
  uses: ['table:read'],
});

export const handler = handle(listMailImports, async ({ ctx, params, query }) => {
  const { limit = DEFAULT_LIMIT, next_cursor } = query;
  const { id: mailbox_id } = await requireMailbox(ctx, params.mailbox_id);
  const scope = { list: 'imports', filters: { mailbox_id }, user_id: ctx.caller.user.id };
  const { after, cursorAt } = cursorsOf(ctx, scope, next_cursor);
  const { imports, next } = await listImports(ctx.table, mailbox_id, { limit, after });
  return {
    collection: {
      records: imports.map((each) => presentImport(each, [])),
      page_info: forwardPage(limit, cursorAt(next)),
      filters: null,
      slice_key: null,
    },
  };
});
