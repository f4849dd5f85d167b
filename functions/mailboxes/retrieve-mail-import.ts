import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { mailImportSchema, presentImport } from '#shared/domain/mail/imports/import.ts';
import { requireImport } from '#shared/domain/mail/imports/policy.ts';
import { firstFailures } from '#shared/domain/mail/imports/store.ts';

export const retrieveMailImport = route('retrieveMailImport', {
  method: 'GET',
  path: '/mailboxes/{mailbox_id}/imports/{id}',
  access: 'read',
  summary: 'Retrieve an import',
  description: 'Its counts while it runs and after; every message is imported, skipped or failed.',
  returns: { 200: { import: mailImportSchema } },
  errors: ['record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(retrieveMailImport, async ({ ctx, params }) => {
  const [mailImport, failures] = await Promise.all([
    requireImport(ctx, params.mailbox_id, params.id),
    firstFailures(ctx.table, params.id),
  ]);
  return { import: presentImport(mailImport, failures) };
});
