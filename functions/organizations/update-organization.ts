import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { organizationChanges, organizationSchema } from '#shared/domain/crm/organizations/organization.ts';
import { presentOne } from '#shared/domain/crm/organizations/present.ts';
import { updateOrganization as update } from '#shared/domain/crm/organizations/update.ts';

export const updateOrganization = route('updateOrganization', {
  method: 'PATCH',
  path: '/organizations/{id}',
  access: 'write',
  summary: 'Update an organization',
  description:
    'Fields that are not sent stay, `null` clears, and an array replaces the whole array. Keys of `custom_fields` that are not sent stay.',
  body: { organization: organizationChanges },
  examples: { body: { organization: { industry: 'Shipping', website_url: null } } },
  returns: { 200: { organization: organizationSchema } },
  errors: ['permission_denied', 'domain_taken', 'external_id_taken', 'custom_field_taken'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  updateOrganization,
  async ({ ctx, params, body }) => presentOne(ctx, await update(ctx, params.id, body.organization)),
  recordLists,
);
