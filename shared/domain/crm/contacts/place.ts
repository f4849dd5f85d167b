import { invalidField } from '#shared/errors.ts';
import { foldForSearch } from '#shared/folding.ts';
import { lists } from '#shared/table/keys.ts';
import type { Contact } from './contact.ts';

/** A contact's name, its place in its list, and its size limit. */

/** A page has 50 contacts. */
const MAX_BYTES = 100 * 1024;
/** Characters of a folded name: with the id it stays below the 1,024 bytes of an index key. */
const RANK_CHARACTERS = 200;

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

/** The sort form of a name: without case, accents and extra spaces. */
function sortName(name: string): string {
  const folded = foldForSearch(name)
    .replaceAll(/[\s\p{C}]+/gu, ' ')
    .trim();
  return [...folded].slice(0, RANK_CHARACTERS).join('');
}

/** The tab sorts before every character of a folded name, so "Ann" comes before "Ann Bell". */
function rankOf(name: string, id: string): string {
  return `${sortName(name)}\t${id}`;
}

/** The order of lists. DynamoDB compares text by its UTF-8 bytes. */
export function byName(a: Pick<Contact, 'rank'>, b: Pick<Contact, 'rank'>): number {
  return Buffer.compare(Buffer.from(a.rank), Buffer.from(b.rank));
}

function listOf(contact: Pick<Contact, 'account_id' | 'user_id' | 'visibility'>): string {
  return contact.visibility === 'account'
    ? lists.contacts(contact.account_id)
    : lists.privateContacts(contact.user_id);
}

/** The contact with its place; 400 `too_long` for the largest field when the contact is too large. */
export function placed(contact: Contact): Contact {
  const whole = { ...contact, list: listOf(contact), rank: rankOf(contact.name, contact.id) };
  const sizes = Object.entries(whole).map(([field, value]) => ({
    field,
    bytes: Buffer.byteLength(JSON.stringify(value) ?? ''),
  }));
  if (sizes.reduce((sum, { bytes }) => sum + bytes, 0) <= MAX_BYTES) return whole;
  const largest = sizes.reduce((best, next) => (next.bytes > best.bytes ? next : best));
  throw invalidField(largest.field, 'too_long', 'makes the contact larger than 100 KB');
}
