import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { createCustomField as create } from '#shared/domain/collaboration/custom-fields/create.ts';
import {
  customFieldDraft,
  customFieldSchema,
} from '#shared/domain/collaboration/custom-fields/custom-field.ts';

export const createCustomField = route('createCustomField', {
  method: 'POST',
  path: '/custom_fields',
  access: 'write',
  summary: 'Define a custom field',
  description:
    'For account admins. From then on, the values that requests write under this key of `custom_fields` are checked; ' +
    'those that records have stay as they are. A record type has at most 50 definitions, 10 of them indexed and 5 ' +
    'unique. An indexed or unique one is `indexing` until the records from before are done: some minutes.',
  body: { custom_field: customFieldDraft },
  examples: {
    body: {
      custom_field: {
        record_type: 'contacts',
        key: 'region',
        name: 'Region',
        type: 'select',
        options: [{ value: 'emea', name: 'Europe and Africa' }, { value: 'apac' }],
        indexed: true,
      },
    },
  },
  returns: { 201: { custom_field: customFieldSchema } },
  errors: ['permission_denied', 'custom_field_key_taken'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
  idempotent: true,
});

export const handler = handle(createCustomField, async ({ ctx, body, keep }) => ({
  custom_field: await create(ctx, body.custom_field, (custom_field) => keep({ custom_field })),
}));
