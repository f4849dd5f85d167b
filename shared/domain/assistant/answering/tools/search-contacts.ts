import { nameRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { findContactsByAddress } from '#shared/domain/crm/contacts/addresses.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { loadContact } from '#shared/domain/crm/contacts/policy.ts';
import { searchContacts as search } from '#shared/domain/crm/contacts/search.ts';
import type { ContactRow } from '../views.ts';
import { give, type ToolContext } from './context.ts';
import { contactRow } from './read-contact.ts';

const FOUND = 10;

const byName = (a: Contact, b: Contact) => (nameRank(a.name) < nameRank(b.name) ? -1 : 1);

async function contactWithAddress(ctx: ToolContext, query: string): Promise<Contact | undefined> {
  if (!query.includes('@')) return undefined;
  const address = query.trim().toLowerCase();
  const holder = (await findContactsByAddress(ctx, [address])).get(address);
  return holder && loadContact(ctx, holder.id);
}

/**
 * Contacts that the user sees: the one with an email address, or the newest that match all words of the query, sorted
 * by name.
 */
export async function searchContacts(
  ctx: ToolContext,
  query: string,
): Promise<{ contacts: ContactRow[]; more: boolean }> {
  const one = await contactWithAddress(ctx, query);
  const { rows, next } = one ? { rows: [one], next: null } : await search(ctx, query, { limit: FOUND });
  give(
    ctx,
    'contact',
    rows.map(({ id }) => id),
  );
  return { contacts: rows.toSorted(byName).map(contactRow), more: next !== null };
}
