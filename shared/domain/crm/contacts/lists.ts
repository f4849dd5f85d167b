import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { phoneWords } from '#shared/domain/collaboration/record-lists/phones.ts';
import { momentRank, nameRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import type { Contact } from './contact.ts';

/** The lists of contacts (docs/decisions/0035). */

export const contactLists = {
  owner: (user_id: string) => `owner:${user_id}`,
  unemployed: 'unemployed',
  pinned: 'pinned',
};

export const isUnemployed = ({ employments }: Pick<Contact, 'employments'>) =>
  !employments.some(({ current }) => current);

/** When it was last written. */
export const touchedAt = ({ created_at, updated_at }: Pick<Contact, 'created_at' | 'updated_at'>) =>
  updated_at ?? created_at;

type Searched = Pick<Contact, 'name' | 'nickname' | 'email_addresses' | 'phone_numbers'>;

/** The words of name, nickname, email addresses and phone numbers, without duplicates. */
function searchedWords({ name, nickname, email_addresses, phone_numbers }: Searched): string[] {
  const addresses = email_addresses.map(({ email_address }) => email_address);
  const phones = phone_numbers.map(({ phone_number }) => phone_number);
  return [...new Set([...[name, nickname, ...addresses].flatMap(wordsOf), ...phones.flatMap(phoneWords)])];
}

export const contactIndex: RecordIndex<Contact> = {
  type: 'contacts',
  orders: {
    name: ({ name }) => nameRank(name),
    created_at: ({ created_at }) => momentRank(created_at),
    updated_at: (contact) => momentRank(touchedAt(contact)),
  },
  words_by: 'name',
  words: searchedWords,
  lists: (contact) => [
    contactLists.owner(contact.user_id),
    ...(isUnemployed(contact) ? [contactLists.unemployed] : []),
  ],
  personal: ({ pinned_by }, user_id) => (pinned_by?.has(user_id) ? [contactLists.pinned] : []),
  users: ({ pinned_by }) => pinned_by ?? [],
};
