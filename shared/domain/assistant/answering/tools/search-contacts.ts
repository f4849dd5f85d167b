import { findContactsByAddress } from '#shared/domain/crm/contacts/addresses.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { listContacts } from '#shared/domain/crm/contacts/store.ts';
import { loadContact } from '#shared/domain/crm/contacts/visibility.ts';
import { matchesTerms, wordsOf } from '#shared/domain/platform/postings/words.ts';
import type { ContactRow } from '#shared/providers/assistant/views.ts';
import { give, type ToolContext } from './context.ts';
import { contactRow } from './read-contact.ts';

const FOUND = 10;
const PAGE = 250;
/** Contacts that one search looks at; they have no index of words yet. */
const LOOKED_AT = 2_000;

function matches(contact: Contact, words: string[]): boolean {
  const addresses = contact.email_addresses.map(({ email_address }) => email_address);
  return matchesTerms(words, wordsOf([contact.name, contact.nickname ?? '', ...addresses].join(' ')));
}

/** Contacts that the user sees: by an email address at once, by the beginnings of words of their names page by page. */
export async function searchContacts(
  ctx: ToolContext,
  query: string,
): Promise<{ contacts: ContactRow[]; more: boolean }> {
  const words = wordsOf(query);
  const found: Contact[] = [];
  if (query.includes('@')) {
    const holders = await findContactsByAddress(ctx, [query.trim().toLowerCase()]);
    const contacts = await Promise.all([...holders.values()].map(({ id }) => loadContact(ctx, id)));
    found.push(...contacts.filter((contact) => contact !== undefined));
  }
  let after: string | undefined;
  let lookedAt = 0;
  while (found.length === 0 || (after !== undefined && found.length <= FOUND)) {
    const page = await listContacts(ctx, { order: 'asc', limit: PAGE, after });
    found.push(...page.contacts.filter((contact) => matches(contact, words)));
    lookedAt += page.contacts.length;
    after = page.next ?? undefined;
    if (after === undefined || lookedAt >= LOOKED_AT) break;
  }
  give(
    ctx,
    'contact',
    found.map(({ id }) => id),
  );
  return {
    contacts: found.slice(0, FOUND).map(contactRow),
    more: found.length > FOUND || after !== undefined,
  };
}
