import { invalidField } from '#shared/errors.ts';
import type { Contact } from './contact.ts';

/** A contact's name and its size limit. */

/** A page has 50 contacts. */
const MAX_BYTES = 100 * 1024;

interface Named {
  name?: string | null | undefined;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  email_addresses?: { email_address: string }[] | undefined;
}

/** First and last name, else the first email address; empty when there is none of these. */
export function nameOf(contact: Named): string {
  const parts = [contact.first_name, contact.last_name].filter((part) => part != null);
  return contact.name ?? (parts.join(' ') || (contact.email_addresses?.[0]?.email_address ?? ''));
}

/** 400 `too_long` for the largest field when the contact is too large. */
export function fitting(contact: Contact): Contact {
  const sizes = Object.entries(contact).map(([field, value]) => ({
    field,
    bytes: Buffer.byteLength(JSON.stringify(value) ?? ''),
  }));
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES) return contact;
  const largest = sizes.reduce((best, next) => (next.bytes > best.bytes ? next : best));
  throw invalidField(largest.field, 'too_long', 'makes the contact larger than 100 KB');
}
