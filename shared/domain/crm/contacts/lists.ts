import { asRecord } from '#shared/domain/collaboration/activity/happened.ts';
import type { FoundBy, RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { isCommonlyCounted, ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { BY_CREATION, namedOrders } from '#shared/domain/collaboration/record-lists/orders.ts';
import { furtherWords, phoneWords } from '#shared/domain/collaboration/record-lists/phones.ts';
import { organizationLink, valuesOf } from '#shared/domain/crm/details/history.ts';
import { spaceLists } from '#shared/domain/crm/details/memberships.ts';
import { wordsOf, wordsOfAll } from '#shared/domain/platform/postings/words.ts';
import { type Contact, writableFields } from './contact.ts';
import { mergesOf } from './merging/history.ts';
import { pageWord } from './pages.ts';

/** The lists of contacts (docs/decisions/0035). */

export const contactLists = {
  unemployed: 'unemployed',
  pinned: 'pinned',
};

export const isUnemployed = ({ employments }: Pick<Contact, 'employments'>) =>
  !employments.some(({ current }) => current);

/** People who work at the organization, or did. */
export const employerList = (organization_id: string, current: boolean) =>
  `employer:${organization_id}:${current ? 'current' : 'past'}`;

function employerLists({ employments }: Contact): string[] {
  const lists = employments.flatMap(({ organization, current }) =>
    organization ? [employerList(organization.id, current)] : [],
  );
  return [...new Set(lists)];
}

type Searched = Pick<Contact, 'name' | 'nickname' | 'email_addresses' | 'phone_numbers' | 'links'>;

/** The words of name, nickname, email addresses and phone numbers, and one for each link, without duplicates. */
function searchedWords({ name, nickname, email_addresses, phone_numbers, links }: Searched): string[] {
  const addresses = email_addresses.map(({ email_address }) => email_address);
  const phones = phone_numbers.map(({ phone_number }) => phone_number);
  const pages = links.map(({ url }) => pageWord(url));
  const words = [...[name, nickname, ...addresses].flatMap(wordsOf), ...phones.flatMap(phoneWords), ...pages];
  return [...new Set(words)];
}

/** By how it is called, and by its addresses, numbers and the id of another system. */
function foundBy({
  name,
  nickname,
  email_addresses,
  phone_numbers,
  external_id,
  created_at,
}: Searched & Pick<Contact, 'external_id' | 'created_at'>): FoundBy {
  const title = wordsOfAll([name, nickname]);
  const addresses = email_addresses.map(({ email_address }) => email_address);
  const phones = phone_numbers.map(({ phone_number }) => phone_number);
  return {
    ...{ order: BY_CREATION, moment: Date.parse(created_at), named: true, title },
    ...furtherWords(addresses, { title, phones, external_id }),
  };
}

const historyOf = (contact: Contact) => ({
  ...valuesOf(contact, writableFields),
  employments: contact.employments.map((each) => ({
    ...each,
    organization: organizationLink(each.organization?.id),
  })),
  ...mergesOf(contact),
});

export const contactIndex: RecordIndex<Contact> = {
  type: 'contacts',
  orders: namedOrders,
  words_by: 'name',
  noted_moments: ['created', 'written'],
  periods: ['created', 'written'],
  spread: true,
  custom_fields: ({ custom_fields }) => custom_fields,
  words: searchedWords,
  found: foundBy,
  found_by: BY_CREATION,
  history: historyOf,
  activity: asRecord(historyOf),
  lists: (contact) => [
    ownerList(contact.user_id),
    ...(isUnemployed(contact) ? [contactLists.unemployed] : []),
    ...employerLists(contact),
    ...spaceLists(contact),
  ],
  counted: (list) => isCommonlyCounted(list) || list === contactLists.unemployed,
  personal: ({ pinned_by }, user_id) => (pinned_by?.has(user_id) ? [contactLists.pinned] : []),
  users: ({ pinned_by }) => pinned_by ?? [],
};
