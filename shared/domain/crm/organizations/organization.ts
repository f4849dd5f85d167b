import * as z from 'zod';
import { presentShares } from '#shared/domain/collaboration/shares/share.ts';
import { employment } from '#shared/domain/crm/details/employment.ts';
import { details, shown } from '#shared/domain/crm/details/fields.ts';
import { attachedFields, commonFields, type StoredRecord } from '#shared/domain/crm/details/record.ts';
import { derived, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import { timestamp, uuid } from '#shared/values.ts';
import { written } from './written.ts';

/** Of an organization in a list, or without people. */
export const noEmployees = {
  ...{ employments: null, contact_count: null, open_deal_count: null },
  last_interaction_at: null,
};

const organizations = resource('Organization', {
  id: given(uuid),
  user_id: given(uuid.nullable()),
  name: required(written.name, z.string().meta({ example: 'Acme' })),
  domains: optional(written.domains, z.array(z.string().meta({ example: 'acme.example' }))),
  description: optional(written.description, shown('Makes wind-up limpets.')),
  industry: optional(written.industry, shown('Manufacturing')),
  website_url: optional(written.website_url, shown('https://acme.example/')),
  logo_url: optional(written.logo_url, shown('https://acme.example/logo.png')),
  employee_count: optional(written.employee_count, z.int().nullable().meta({ example: 250 })),
  ...details,
  ...commonFields,
  employments: derived(
    z
      .array(
        employment.extend({
          contact: z.strictObject({ id: uuid, name: z.string().meta({ example: 'Ada Byron' }) }).nullable(),
        }),
      )
      .nullable(),
  ),
  contact_count: derived(z.int().nullable()),
  open_deal_count: derived(z.int().nullable()),
  last_interaction_at: derived(timestamp.nullable()),
  space_ids: derived(z.array(uuid)),
  ...attachedFields,
});

/** An organization as stored. */
export type Organization = StoredRecord & StoredFields<typeof organizations.fields>;

/** docs/specification/records.md, "Organizations". */
export const organizationSchema = organizations.response;

export const writableFields = organizations.writable;

export type WritableField = (typeof writableFields)[number];

export const organizationDraft = organizations.strictDraft.meta({ id: 'OrganizationDraft' });

export type OrganizationDraft = z.output<typeof organizationDraft>;

/** Fields that are not sent stay, `null` clears, and an array replaces the whole array. */
export const organizationChanges = organizations.changes.meta({ id: 'OrganizationChanges' });

export type OrganizationChanges = Pick<z.output<typeof organizationChanges>, WritableField>;

export type OrganizationRecord = z.input<typeof organizationSchema>;

/** Parts of an organization that are stored elsewhere; in lists all but tags and spaces are null. */
export type OrganizationExtras = Pick<
  OrganizationRecord,
  | 'tags'
  | 'comments'
  | 'tasks'
  | 'employments'
  | 'contact_count'
  | 'open_deal_count'
  | 'last_interaction_at'
  | 'space_ids'
>;

export function presentOrganization(
  organization: Organization,
  extras: OrganizationExtras,
): OrganizationRecord {
  return organizations.present(organization, {
    custom_fields: JSON.parse(organization.custom_fields),
    ...extras,
    shares: presentShares(organization.shares, { type: 'organizations', id: organization.id }),
  });
}
