import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  customFieldChanges,
  customFieldSchema,
} from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { updateCustomField as update } from '#shared/domain/collaboration/custom-fields/update.ts';

export const updateCustomField = route('updateCustomField', {
  method: 'PATCH',
  path: '/custom_fields/{id}',
  access: 'write',
  summary: 'Update the definition of a custom field',
  description:
    'For account admins. Fields that are not sent stay; `record_type`, `key`, `type` and `unique` stay always. Records ' +
    'keep the values that they have: a value that is no option any more, and a required one that is missing, are ' +
    'refused when somebody writes them.',
  body: { custom_field: customFieldChanges },
  examples: { body: { custom_field: { name: 'Sales region', required: true, position: 0 } } },
  returns: { 200: { custom_field: customFieldSchema } },
  errors: ['permission_denied'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(updateCustomField, async ({ ctx, params, body }) => ({
  custom_field: await update(ctx, params.id, body.custom_field),
}));
