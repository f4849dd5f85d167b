import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import {
  customFieldSchema,
  presentCustomField,
} from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { requireCustomField } from '#shared/domain/collaboration/custom-fields/policy.ts';

export const retrieveCustomField = route('retrieveCustomField', {
  method: 'GET',
  path: '/custom_fields/{id}',
  access: 'read',
  summary: 'Retrieve the definition of a custom field',
  returns: { 200: { custom_field: customFieldSchema } },
  uses: ['table:read'],
});

export const handler = handle(retrieveCustomField, async ({ ctx, params }) => {
  const { field, place } = await requireCustomField(ctx, params.id);
  return { custom_field: presentCustomField(field, place) };
});
