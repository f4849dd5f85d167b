import { mergeCustomFields, NO_CUSTOM_FIELDS } from '#shared/domain/collaboration/records/custom-fields.ts';
import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import { detailsAfter, noDetails } from '#shared/domain/crm/details/entries.ts';
import { type Contact, type ContactChanges, type WritableField, writableFields } from './contact.ts';
import type { Named } from './employers.ts';
import { type ContactEntries, entriesAfter } from './entries.ts';

/** Stores the fields that requests send of a contact. */

type PlainField = Exclude<WritableField, ContactEntries | 'name' | 'custom_fields'>;

const lists = { ...noDetails, email_addresses: [], employments: [] };

const others: readonly string[] = [...Object.keys(lists), 'name', 'custom_fields'];

/** Fields that are stored as sent. */
const plainFields = writableFields.filter((name): name is PlainField => !others.includes(name));

/** The fields of a contact for which nothing was sent. */
export const nothingSent = {
  ...(Object.fromEntries(plainFields.map((name) => [name, null])) as Record<PlainField, null>),
  ...lists,
  visibility: 'account' as const,
  custom_fields: NO_CUSTOM_FIELDS,
};

/**
 * The contact with the sent fields, except its name. 400 when its custom fields become too large.
 */
export function withSent(before: Contact, sent: Named<ContactChanges>, now: Date): Contact {
  return {
    ...before,
    ...sentAmong(plainFields, sent),
    ...detailsAfter(before, sent, now),
    ...entriesAfter(before, sent, now),
    custom_fields: mergeCustomFields(before.custom_fields, sent.custom_fields),
  };
}
