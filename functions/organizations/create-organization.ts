import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { createOrganization as create } from '#shared/domain/crm/organizations/create.ts';
import {
  organizationDraft,
  organizationSchema,
  presentOrganization,
} from '#shared/domain/crm/organizations/organization.ts';

export const createOrganization = route('createOrganization', {
  method: 'POST',
  path: '/organizations',
  access: 'write',
  summary: 'Create an organization',
  description:
    'A domain may be on one visible organization only, and hosts of public mail services on none. Domains are stored in ' +
    'ASCII and in lower case; the first one is the primary one.',
  body: { organization: organizationDraft },
  examples: {
    body: {
      organization: {
        name: 'Acme',
        domains: ['acme.example'],
        industry: 'Manufacturing',
        custom_fields: { customer_number: 'A-1024' },
      },
    },
  },
  returns: { 201: { organization: organizationSchema } },
  errors: ['domain_taken', 'external_id_taken'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

export const handler = handle(
  createOrganization,
  async ({ ctx, body }) => {
    const organization = await create(ctx, body.organization);
    return {
      organization: presentOrganization(organization, {
        tags: [],
        comments: [],
        tasks: [],
        employments: [],
        contact_count: 0,
        open_deal_count: 0,
        space_ids: [],
      }),
    };
  },
  recordLists,
);
