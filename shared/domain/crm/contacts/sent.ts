import * as z from 'zod';
import { customFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import { invalidField } from '#shared/errors.ts';
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
  custom_fields: '{}',
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

/** `null` and an empty value both mean "not set". */
function customFieldsOf(sent: Record<string, unknown>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)));
}

/** Keys that are sent replace, others stay, `null` removes (docs/specification/records.md, "Custom fields"). */
function customOf(before: Contact, { custom_fields: sent }: ContactChanges): string {
  if (sent === undefined) return before.custom_fields;
  const merged = customFieldsOf({ ...JSON.parse(before.custom_fields), ...sent });
  const [problem] = z.safeParse(customFields, JSON.parse(merged)).error?.issues ?? [];
  if (problem) throw invalidField('custom_fields', 'too_long', problem.message);
  return merged;
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
    custom_fields: customOf(before, sent),
  };
}
