import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { mailImportRecord, presentImport } from '#shared/domain/mail/imports/import.ts';
import { findImport, firstFailures } from '#shared/domain/mail/imports/store.ts';
import { findMailbox } from '#shared/domain/mail/mailboxes/store.ts';
import { recordNotFound } from '#shared/errors.ts';

export const retrieveMailImport = route('retrieveMailImport', {
  method: 'GET',
  path: '/mailboxes/{mailbox_id}/imports/{id}',
  access: 'read',
  summary: 'Retrieve an import',
  description: 'Its counts while it runs and after; every message is imported, skipped or failed.',
  returns: { 200: { import: mailImportRecord } },
  errors: ['record_not_found'],
  uses: ['table:read'],
});

export const handler = handle(retrieveMailImport, async ({ ctx, params }) => {
  const [mailbox, mailImport, failures] = await Promise.all([
    findMailbox(ctx, params.mailbox_id),
    findImport(ctx.table, params.id),
    firstFailures(ctx.table, params.id),
  ]);
  if (!mailbox || mailImport?.mailbox_id !== mailbox.id) throw recordNotFound();
  return { import: presentImport(mailImport, failures) };
});
