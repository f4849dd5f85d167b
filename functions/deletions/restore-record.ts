import { handle } from '#shared/api/handle.ts';
import { onRecord, route } from '#shared/api/route.ts';
import { restorable, restoreAndShow, restoredSchemas, restoring } from '#shared/composition/restoring.ts';

export const restoreRecord = route('restoreRecord', {
  method: 'POST',
  path: onRecord(restorable, 'restore'),
  access: 'write',
  summary: 'Restore a deleted record',
  description:
    'For those who could delete it, within 30 days; with its id, its comments and everything that hung on it. Another ' +
    'record may have its names, its external id or the value of a unique field by now: then nothing changes. A repeat is no error.',
  returns: { 200: restoredSchemas },
  errors: [
    'invalid_request',
    'permission_denied',
    'record_not_found',
    'email_address_taken',
    'domain_taken',
    'external_id_taken',
    'custom_field_taken',
  ],
  uses: ['table:write', 'queue:remove-records', 'queue:index-records'],
  streams: true,
  versioned: true,
});

export const handler = handle(
  restoreRecord,
  ({ ctx, record: { type, id } }) => restoreAndShow(ctx, type, id),
  restoring,
);
