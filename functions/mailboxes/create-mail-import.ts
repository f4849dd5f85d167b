import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { requireUpload } from '#shared/domain/collaboration/uploads/policy.ts';
import { createImport } from '#shared/domain/mail/imports/create.ts';
import { mailImportSchema, presentImport } from '#shared/domain/mail/imports/import.ts';
import { requireMailbox, requireOwner } from '#shared/domain/mail/mailboxes/policy.ts';
import { ApiError } from '#shared/errors.ts';
import { bucketOf, objectKeys } from '#shared/providers/files/bucket.ts';
import { uuid } from '#shared/values.ts';

export const createMailImport = route('createMailImport', {
  method: 'POST',
  path: '/mailboxes/{mailbox_id}/imports',
  access: 'write',
  summary: 'Import a mail archive',
  description:
    'Reads an uploaded mbox, `.eml` or `.zip` of `.mbox` and `.eml` files into a mailbox of the key’s user. Messages that the mailbox already has are skipped, so an import can be repeated. Labels of a Google Takeout tell the category of a message, and what its owner had read or starred.',
  body: { import: z.object({ upload_id: uuid }) },
  returns: { 202: { import: mailImportSchema } },
  errors: [
    'record_not_found',
    'permission_denied',
    'upload_already_used',
    'upload_incomplete',
    'storage_unavailable',
  ],
  uses: ['table:write', 'bucket:read-uploads', 'queue:import-mail'],
});

export const handler = handle(createMailImport, async ({ ctx, params, body }) => {
  const mailbox = await requireMailbox(ctx, params.mailbox_id);
  const upload = await requireUpload(ctx, body.import.upload_id);
  requireOwner(ctx.caller, mailbox);
  if (upload.used_at) throw new ApiError('upload_already_used');
  const size = await bucketOf(ctx).size(objectKeys.upload(upload.id));
  if (size !== upload.size) throw new ApiError('upload_incomplete');
  return { import: presentImport(await createImport(ctx, mailbox, upload), []) };
});
