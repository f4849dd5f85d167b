import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { importSchema, presentImport } from '#shared/domain/exchange/imports/import.ts';
import { requireImport } from '#shared/domain/exchange/imports/policy.ts';

export const retrieveImport = route('retrieveImport', {
  method: 'GET',
  path: '/imports/{id}',
  access: 'read',
  summary: 'Retrieve an import of records',
  description: 'Its counts while it runs and after. Imports are seen by the user who made them.',
  returns: { 200: { import: importSchema } },
  errors: ['record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(retrieveImport, async ({ ctx, params }) => ({
  import: presentImport(await requireImport(ctx, params.id)),
}));
