import { mergeCustomFields, NO_CUSTOM_FIELDS } from '#shared/domain/collaboration/records/custom-fields.ts';
import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import { detailsAfter, noDetails } from '#shared/domain/crm/details/entries.ts';
import { fitting } from '#shared/domain/crm/details/size.ts';
import {
  type Organization,
  type OrganizationChanges,
  type WritableField,
  writableFields,
} from './organization.ts';

/** Stores the fields that requests send of an organization. */

type PlainField = Exclude<WritableField, keyof typeof noDetails | 'custom_fields'>;

const others: readonly string[] = [...Object.keys(noDetails), 'custom_fields'];

/** Fields that are stored as sent. */
const plainFields = writableFields.filter((name): name is PlainField => !others.includes(name));

/** The fields of an organization for which nothing but a name was sent. */
export const nothingSent = {
  domains: [],
  description: null,
  industry: null,
  website_url: null,
  logo_url: null,
  employee_count: null,
  ...noDetails,
  visibility: 'account' as const,
  external_id: null,
  custom_fields: NO_CUSTOM_FIELDS,
};

/** The organization with the sent fields. 400 when it or its custom fields become too large. */
export function withSent(before: Organization, sent: OrganizationChanges, now: Date): Organization {
  const after = {
    ...before,
    ...sentAmong(plainFields, sent),
    ...detailsAfter(before, sent, now),
    custom_fields: mergeCustomFields(before.custom_fields, sent.custom_fields),
  };
  return fitting(after, 'organization');
}
