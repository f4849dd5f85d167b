import * as z from 'zod';
import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { customFieldSchema, definedTypes } from '#shared/domain/collaboration/custom-fields/custom-field.ts';
import { listCustomFields as list } from '#shared/domain/collaboration/custom-fields/store.ts';

export const listCustomFields = route('listCustomFields', {
  method: 'GET',
  path: '/custom_fields',
  access: 'read',
  summary: 'List the definitions of custom fields',
  description: 'All of them, by record type and position. All users of the account see them.',
  query: {
    record_type: z
      .enum(definedTypes)
      .optional()
      .meta({ description: 'Only the definitions of this record type' }),
  },
  returns: { 200: { custom_fields: z.array(customFieldSchema) } },
  uses: ['table:read'],
});

export const handler = handle(listCustomFields, async ({ ctx, query }) => ({
  custom_fields: await list(ctx, query.record_type),
}));
