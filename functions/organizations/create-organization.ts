import { handle } from '#shared/api/handle.ts';
import { route } from '#shared/api/route.ts';
import { Updated, upserting } from '#shared/api/upsert.ts';
import { recordLists } from '#shared/composition/record-lists.ts';
import { createOrganization as create } from '#shared/domain/crm/organizations/create.ts';
import {
  organizationDraft,
  organizationSchema,
  presentOrganization,
} from '#shared/domain/crm/organizations/organization.ts';
import { presentOne } from '#shared/domain/crm/organizations/present.ts';
import { upsertOrganization } from '#shared/domain/crm/organizations/upsert.ts';

export const createOrganization = route('createOrganization', {
  method: 'POST',
  path: '/organizations',
  access: 'write',
  summary: 'Create an organization',
  description:
    'A domain may be on one visible organization only, and hosts of public mail services on none. Domains are stored in ' +
    'ASCII and in lower case; the first one is the primary one.',
  query: upserting,
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
  errors: ['permission_denied', 'domain_taken', 'external_id_taken', 'custom_field_taken'],
  uses: ['table:write', 'queue:index-records'],
  versioned: true,
});

const nothing = {
  ...{ tags: [], comments: [], tasks: [], employments: [], space_ids: [] },
  ...{ contact_count: 0, open_deal_count: 0, last_interaction_at: null },
};

export const handler = handle(
  createOrganization,
  async ({ ctx, query, body }) => {
    const { before, after } =
      query.upsert === undefined
        ? { before: undefined, after: await create(ctx, body.organization) }
        : await upsertOrganization(ctx, body.organization);
    if (before) return new Updated(await presentOne(ctx, after));
    return { organization: presentOrganization(after, nothing) };
  },
  recordLists,
);
