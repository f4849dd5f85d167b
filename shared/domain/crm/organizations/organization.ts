import * as z from 'zod';
import { commentSchema } from '#shared/domain/collaboration/comments/comment.ts';
import type { RecordItem } from '#shared/domain/collaboration/records/live.ts';
import {
  inOrder,
  presentShare,
  type StoredShare,
  shareSchema,
} from '#shared/domain/collaboration/shares/share.ts';
import { tagSchema } from '#shared/domain/collaboration/tags/tag.ts';
import { details, shown } from '#shared/domain/crm/details/fields.ts';
import { apart, derived, given, optional, required, resource, type StoredFields } from '#shared/resource.ts';
import { isoDate, timestamp, uuid } from '#shared/values.ts';
import { written } from './written.ts';

const organizationSummary = z.strictObject({
  id: uuid,
  name: z.string().meta({ example: 'Acme' }),
  domain: shown('acme.example'),
});

/** Of an organization in a list, or without people. */
export const noEmployees = { employments: null, contact_count: null };

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
  visibility: optional(written.visibility, z.enum(['account', 'private'])),
  external_id: optional(written.external_id, shown('crm-1024')),
  custom_fields: apart(
    optional(
      written.custom_fields,
      z.record(z.string(), z.unknown()).meta({ example: { customer_number: 'A-1024' } }),
    ),
  ),
  employments: derived(
    z
      .array(
        z.strictObject({
          id: uuid,
          title: shown('Analyst'),
          organization: organizationSummary.nullable(),
          contact: z.strictObject({ id: uuid, name: z.string().meta({ example: 'Ada Byron' }) }).nullable(),
          current: z.boolean(),
          started_on: isoDate.nullable(),
          ended_on: isoDate.nullable(),
        }),
      )
      .nullable(),
  ),
  contact_count: derived(z.int().nullable()),
  open_deal_count: derived(z.int().nullable()),
  last_interaction_at: derived(timestamp.nullable()),
  space_ids: derived(z.array(uuid)),
  tags: derived(z.array(tagSchema).nullable()),
  shares: derived(z.array(shareSchema).nullable()),
  comments: derived(z.array(commentSchema).nullable()),
  tasks: derived(z.array(z.unknown()).nullable()),
  created_at: given(timestamp),
  updated_at: given(timestamp.nullable()),
});

/** An organization as stored. */
export type Organization = RecordItem &
  StoredFields<typeof organizations.fields> & {
    account_id: string;
    user_id: string;
    /** As JSON text: JSON numbers may exceed DynamoDB's range. */
    custom_fields: string;
    /** By the id of the share. */
    shares: Record<string, StoredShare>;
  };

/** docs/specification/records.md, "Organizations". */
export const organizationSchema = organizations.response;

export const writableFields = organizations.writable;

export type WritableField = (typeof writableFields)[number];

export const organizationDraft = organizations.draft.meta({ id: 'OrganizationDraft' });

export type OrganizationDraft = z.output<typeof organizationDraft>;

/** Fields that are not sent stay, `null` clears, and an array replaces the whole array. */
export const organizationChanges = organizations.changes.meta({ id: 'OrganizationChanges' });

export type OrganizationChanges = Pick<z.output<typeof organizationChanges>, WritableField>;

export type OrganizationRecord = z.input<typeof organizationSchema>;

/** Parts of an organization that are stored elsewhere; in lists all but the tags are null. */
export type OrganizationExtras = Pick<
  OrganizationRecord,
  'tags' | 'comments' | 'employments' | 'contact_count'
>;

export function presentOrganization(
  organization: Organization,
  { comments, ...extras }: OrganizationExtras,
): OrganizationRecord {
  const record = { type: 'organizations', id: organization.id } as const;
  return organizations.present(organization, {
    custom_fields: JSON.parse(organization.custom_fields),
    open_deal_count: null,
    last_interaction_at: null,
    space_ids: [],
    ...extras,
    shares: inOrder(Object.values(organization.shares)).map((share) => presentShare(share, record)),
    comments,
    tasks: comments === null ? null : [],
  });
}
