import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { exportSchema, presentExport } from '#shared/domain/exchange/exports/export.ts';
import { linkOf } from '#shared/domain/exchange/exports/link.ts';
import { requireExport } from '#shared/domain/exchange/exports/policy.ts';

export const retrieveExport = route('retrieveExport', {
  method: 'GET',
  path: '/exports/{id}',
  access: 'read',
  summary: 'Retrieve an export',
  description:
    'When it is complete, with a link that gives the file without a key for five minutes. Exports are seen by the user who made them.',
  returns: { 200: { export: exportSchema } },
  errors: ['record_not_found', 'storage_unavailable'],
  uses: ['table:read', 'bucket:read-exports'],
});

export const handler = handle(retrieveExport, async ({ ctx, params }) => {
  const found = await requireExport(ctx, params.id);
  return { export: presentExport(found, await linkOf(ctx, found)) };
});
