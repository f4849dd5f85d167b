import type { Posting } from '#shared/domain/platform/postings/posting.ts';
import { Prefixes } from '#shared/domain/platform/postings/prefixes.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import type { Contact } from './contact.ts';

/** The postings of contacts by words: newest first, in the order of their ids (docs/decisions/0026). */

/** One character, so that every term has a list; three characters, which few contacts of an account share. */
export const prefixes = new Prefixes([1, 3]);

export const wordList = (prefix: string) => `contacts:${prefix}`;

type Searched = Pick<Contact, 'name' | 'nickname' | 'email_addresses'>;

/** The words of name, nickname and email addresses, without duplicates. */
export function searchedWords({ name, nickname, email_addresses }: Searched): string[] {
  const addresses = email_addresses.map(({ email_address }) => email_address);
  return [...new Set([name, nickname, ...addresses].flatMap(wordsOf))];
}

/** A private contact is in lists of its owner, any other in lists of the account. */
export function contactPostings(contact: Contact | undefined): Posting[] {
  if (!contact) return [];
  const owner = contact.visibility === 'account' ? contact.account_id : contact.user_id;
  return prefixes.postings(searchedWords(contact), { owner, rank: contact.id }, wordList);
}
