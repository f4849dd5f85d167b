import { mergeCustomFields, NO_CUSTOM_FIELDS } from '#shared/domain/collaboration/records/custom-fields.ts';
import { type Contact, type ContactChanges, type WritableField, writableFields } from './contact.ts';
import { entriesOf, keepIds } from './entries.ts';

/** Stores the fields that requests send of a contact. */

type PlainField = Exclude<WritableField, keyof typeof entriesOf | 'name' | 'custom_fields'>;

const others: readonly string[] = [...Object.keys(entriesOf), 'name', 'custom_fields'];

/** Fields that are stored as sent. */
const plainFields = writableFields.filter((name): name is PlainField => !others.includes(name));

/** The fields of a contact for which nothing was sent. */
export const nothingSent = {
  ...(Object.fromEntries(plainFields.map((name) => [name, null])) as Record<PlainField, null>),
  visibility: 'account' as const,
  email_addresses: [],
  phone_numbers: [],
  links: [],
  addresses: [],
  employments: [],
  custom_fields: NO_CUSTOM_FIELDS,
};

function plainOf(sent: ContactChanges): Partial<Contact> {
  const names = plainFields.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, sent[name]]));
}

/** An existing entry keeps its id. */
function listsOf(before: Contact, sent: ContactChanges, now: Date): Partial<Contact> {
  const { email_addresses, phone_numbers, links, addresses, employments } = sent;
  return {
    ...(email_addresses && {
      email_addresses: keepIds(before.email_addresses, entriesOf.email_addresses(email_addresses, now)),
    }),
    ...(phone_numbers && {
      phone_numbers: keepIds(before.phone_numbers, entriesOf.phone_numbers(phone_numbers, now)),
    }),
    ...(links && { links: keepIds(before.links, entriesOf.links(links, now)) }),
    ...(addresses && { addresses: keepIds(before.addresses, entriesOf.addresses(addresses, now)) }),
    ...(employments && { employments: keepIds(before.employments, entriesOf.employments(employments, now)) }),
  };
}

/**
 * The contact with the sent fields, except its name. 400 when its custom fields become too large; 404 for an employment
 * at an organization that is not visible.
 */
export function withSent(before: Contact, sent: ContactChanges, now: Date): Contact {
  return {
    ...before,
    ...plainOf(sent),
    ...listsOf(before, sent, now),
    custom_fields: mergeCustomFields(before.custom_fields, sent.custom_fields),
  };
}
