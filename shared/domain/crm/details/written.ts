import * as z from 'zod';
import { clearableLine, requiredText } from '#shared/values.ts';

/** How people and organizations are reached, as requests send it (docs/specification/records.md, "Contacts"). */

/** Entries of a list. */
export const ENTRIES = 100;

export const line = clearableLine(255).optional();
export const webAddress = z
  .url({ protocol: /^https?$/, normalize: true, error: 'must be an http or https URL' })
  .max(2_048)
  .meta({ format: 'uri', example: 'https://acme.example/ada' });

export type Entries<T> = { value: T[]; issues: unknown[] };

export function refuseEntry(
  context: Entries<unknown>,
  index: number,
  field: string | undefined,
  message: string,
): void {
  context.issues.push({
    code: 'custom',
    path: field === undefined ? [index] : [index, field],
    input: context.value,
    message,
    params: { field_code: 'invalid' },
  });
}

export function onePrimary(context: Entries<{ primary?: boolean | undefined }>): void {
  const first = context.value.findIndex((entry) => entry.primary);
  context.value.forEach((entry, i) => {
    if (entry.primary && i !== first) refuseEntry(context, i, 'primary', 'only one entry can be primary');
  });
}

export const phoneNumber = requiredText(64)
  .regex(/^[\d+()./*#,;xX\s-]*$/, { error: 'must be a phone number' })
  .meta({ example: '+44 20 7946 0123' });

const phoneEntry = z.object({
  phone_number: phoneNumber,
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

export const writtenDetails = {
  phone_numbers: z.array(phoneEntry).max(ENTRIES).check(onePrimary).optional(),
  links: z.array(linkEntry).max(ENTRIES).optional(),
  addresses: z.array(addressEntry).max(ENTRIES).optional(),
};
