import * as z from 'zod';
import { customFields } from '#shared/domain/collaboration/records/custom-fields.ts';
import {
  clearableLine,
  emailAddress,
  isoDate,
  notWritable,
  refuse,
  requiredText,
  text,
  uuid,
} from '#shared/values.ts';

/** The values that requests send of a contact (docs/specification/records.md, "Contacts"). */

const ENTRIES = 100;
/**
 * One transaction contains the contact, its addresses, two external ids when that changes, and the proposal that caused
 * it: 100 items at most. Its postings use the remaining room.
 */
export const EMAIL_ADDRESSES = 90;

const line = clearableLine(255).optional();
const webAddress = z
  .url({ protocol: /^https?$/, normalize: true, error: 'must be an http or https URL' })
  .max(2_048)
  .meta({ format: 'uri', example: 'https://acme.example/ada' });

type Entries<T> = { value: T[]; issues: unknown[] };

function refuseEntry(context: Entries<unknown>, index: number, field: string, message: string): void {
  context.issues.push({
    code: 'custom',
    path: [index, field],
    input: context.value,
    message,
    params: { field_code: 'invalid' },
  });
}

function onePrimary(context: Entries<{ primary?: boolean | undefined }>): void {
  const first = context.value.findIndex((entry) => entry.primary);
  context.value.forEach((entry, i) => {
    if (entry.primary && i !== first) refuseEntry(context, i, 'primary', 'only one entry can be primary');
  });
}

function noDuplicates(context: Entries<{ email_address: string }>): void {
  const addresses = context.value.map((entry) => entry.email_address);
  addresses.forEach((address, i) => {
    if (addresses.indexOf(address) < i) refuseEntry(context, i, 'email_address', 'is given twice');
  });
}

const emailEntry = z.object({ email_address: emailAddress, label: line, primary: z.boolean().optional() });
const phoneEntry = z.object({
  phone_number: requiredText(64)
    .regex(/^[\d+()./*#,;xX\s-]*$/, { error: 'must be a phone number' })
    .meta({ example: '+44 20 7946 0123' }),
  label: line,
  primary: z.boolean().optional(),
});
const linkEntry = z.object({ url: webAddress, label: line });
const addressEntry = z.object({
  street: line,
  city: line,
  region: line,
  postal_code: line,
  country: line,
  label: line,
});

/** By id only: organizations cannot be found or created by name yet. */
const organizationChoice = z
  .object({ id: uuid.optional(), name: notWritable })
  .refine((chosen) => chosen.id !== undefined, { path: ['id'], params: { field_code: 'required' } });

const employmentEntry = z.object({
  title: line,
  organization: organizationChoice.nullish(),
  current: z.boolean().optional(),
  started_on: isoDate.nullish(),
  ended_on: isoDate.nullish(),
});

const timeZone = z
  .string()
  .check((context) => {
    try {
      new Intl.DateTimeFormat('en', { timeZone: context.value });
    } catch {
      refuse(context, 'invalid', 'must be an IANA time zone');
    }
  })
  .regex(/^[A-Za-z]/, { error: 'must be an IANA time zone' })
  .meta({ example: 'Europe/London' });

/** The fields that requests send of a contact. */
export const written = {
  name: line.meta({ example: 'Ada Byron' }),
  first_name: line.meta({ example: 'Ada' }),
  last_name: line.meta({ example: 'Byron' }),
  nickname: line,
  headline: line,
  description: text(20_000).nullish(),
  avatar_url: webAddress.nullish(),
  email_addresses: z.array(emailEntry).max(EMAIL_ADDRESSES).check(noDuplicates, onePrimary).optional(),
  phone_numbers: z.array(phoneEntry).max(ENTRIES).check(onePrimary).optional(),
  links: z.array(linkEntry).max(ENTRIES).optional(),
  addresses: z.array(addressEntry).max(ENTRIES).optional(),
  employments: z.array(employmentEntry).max(ENTRIES).optional(),
  birthday: isoDate.nullish(),
  time_zone: timeZone.nullish(),
  visibility: z.enum(['account', 'private']).optional(),
  external_id: line,
  custom_fields: customFields.meta({ example: { customer_number: 'A-1024', newsletter: true } }).optional(),
};
