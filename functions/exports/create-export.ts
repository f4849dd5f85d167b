import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { interactions } from '#shared/composition/interactions.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { createExport as create } from '#shared/domain/exchange/exports/create.ts';
import { exportDraft, exportSchema, presentExport } from '#shared/domain/exchange/exports/export.ts';

export const createExport = route('createExport', {
  method: 'POST',
  path: '/exports',
  access: 'write',
  summary: 'Export records into a file',
  description:
    'Writes the records that the key’s user sees and that match the filters: those of the query of the list. vCards are for contacts, `ics` for calendar events, of which `filters` name a calendar or a mailbox. The file is kept for seven days.',
  body: { export: exportDraft },
  examples: { body: { export: { record_type: 'contacts', format: 'csv', filters: { slice: 'mine' } } } },
  returns: { 202: { export: exportSchema } },
  errors: ['record_not_found', 'custom_field_indexing'],
  uses: ['table:write', 'queue:export-records'],
});

export const handler = handle(
  createExport,
  async ({ ctx, body }) => ({ export: presentExport(await create(ctx, body.export)) }),
  { ...visibility, ...interactions },
);
