import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createImport as create } from '#shared/domain/exchange/imports/create.ts';
import { importDraft, importSchema, presentImport } from '#shared/domain/exchange/imports/import.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';

export const createImport = route('createImport', {
  method: 'POST',
  path: '/imports',
  access: 'write',
  summary: 'Import records from a file',
  description:
    'Reads an uploaded CSV file, file of vCards, or calendar (.ics). It is a dry run unless `dry_run` is false: the import finds out what each row would become, then it is applied. The response has the columns of the file with the fields that they probably are; `mapping` says otherwise. A row whose `external_id` a record has changes this record, and adds to its lists; an event with the UID of one in the calendar changes it when it is newer.',
  body: { import: importDraft },
  examples: {
    body: {
      import: {
        upload_id: '0198c0de-0000-7000-8000-000000000020',
        record_type: 'contacts',
        mapping: { Segment: 'custom_fields.segment' },
      },
    },
  },
  returns: { 202: { import: importSchema } },
  errors: [
    'record_not_found',
    'permission_denied',
    'calendar_read_only',
    'mailbox_locked',
    'upload_already_used',
    'upload_incomplete',
    'file_unreadable',
    'storage_unavailable',
  ],
  uses: ['table:write', 'bucket:read-uploads', 'queue:import-records'],
});

export const handler = handle(createImport, async ({ ctx, body }) => ({
  import: presentImport(await create(ctx, bucketOf(ctx), body.import)),
}));
