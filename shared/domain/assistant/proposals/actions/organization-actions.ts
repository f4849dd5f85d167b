import { planOrganization } from '#shared/domain/crm/organizations/create.ts';
import {
  type Organization,
  organizationChanges,
  organizationDraft,
  writableFields,
} from '#shared/domain/crm/organizations/organization.ts';
import { planOrganizationChange, planOrganizationUpdate } from '#shared/domain/crm/organizations/update.ts';
import { organizationDeletion } from '#shared/domain/crm/organizations/writes.ts';
import { uuid } from '#shared/values.ts';
import type { Actions } from './action.ts';
import { changing, creating, type Family } from './record-actions.ts';
import { customFields, plainField } from './shown.ts';

const organizations: Family<Organization> = {
  type: 'organizations',
  fields: async () =>
    writableFields.map((name) => (name === 'custom_fields' ? customFields() : plainField(name))),
  linksOf: () => [],
  change: planOrganizationChange,
  deletion: organizationDeletion,
};

/** Their parameters are those of the requests that do the same; `record_id` is the organization. */
export const organizationActions: Actions = {
  'organization.create': creating(organizations, {
    params: organizationDraft,
    params_hint: '{name, domains: ["acme.example"], description, industry, website_url, ...}',
    plan: planOrganization,
  }),
  'organization.update': changing(organizations, {
    params: organizationChanges.extend({ record_id: uuid }),
    params_hint: '{record_id, and the fields to change}',
    plan: (ctx, { record_id, ...changes }) => planOrganizationUpdate(ctx, record_id, changes),
    title: (_, { name }) => `Change ${name}`,
  }),
};
