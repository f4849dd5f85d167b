import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { applyImport as apply } from '#shared/domain/exchange/imports/apply.ts';
import { importEdit, importSchema, presentImport } from '#shared/domain/exchange/imports/import.ts';

export const applyImport = route('applyImport', {
  method: 'POST',
  path: '/imports/{import_id}/apply',
  access: 'write',
  summary: 'Apply an import that was tried',
  description:
    'Runs it again from the first row, and stores the records. Columns that `mapping` does not name stay as they were.',
  body: { import: importEdit.optional() },
  examples: { body: { import: { mapping: { Notes: 'description' } } } },
  returns: { 202: { import: importSchema } },
  errors: ['import_not_ready'],
  uses: ['table:write', 'queue:import-records'],
});

export const handler = handle(applyImport, async ({ ctx, params, body }) => ({
  import: presentImport(await apply(ctx, params.import_id, body.import ?? {})),
}));
