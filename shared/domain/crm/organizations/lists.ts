import { asRecord } from '#shared/domain/collaboration/activity/happened.ts';
import type { FoundBy, RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { isCommonlyCounted, ownerList } from '#shared/domain/collaboration/record-lists/listed.ts';
import { BY_CREATION, namedOrders } from '#shared/domain/collaboration/record-lists/orders.ts';
import { furtherWords, phoneWords } from '#shared/domain/collaboration/record-lists/phones.ts';
import { valuesOf } from '#shared/domain/crm/details/history.ts';
import { spaceLists } from '#shared/domain/crm/details/memberships.ts';
import { wordsOf } from '#shared/domain/platform/postings/words.ts';
import { type Organization, writableFields } from './organization.ts';

/** The lists of organizations (docs/decisions/0035). */

/** The words of name, domains and phone numbers, without duplicates. */
function searchedWords({ name, domains, phone_numbers }: Organization): string[] {
  const phones = phone_numbers.map(({ phone_number }) => phone_number);
  return [...new Set([...[name, ...domains].flatMap(wordsOf), ...phones.flatMap(phoneWords)])];
}

/** By its name, and by its domains, numbers and the id of another system. */
function foundBy({ name, domains, phone_numbers, external_id, created_at }: Organization): FoundBy {
  const title = wordsOf(name);
  const phones = phone_numbers.map(({ phone_number }) => phone_number);
  return {
    ...{ order: BY_CREATION, moment: Date.parse(created_at), named: true, title },
    ...furtherWords(domains, { title, phones, external_id }),
  };
}

const historyOf = (organization: Organization) => valuesOf(organization, writableFields);

export const organizationIndex: RecordIndex<Organization> = {
  type: 'organizations',
  orders: namedOrders,
  words_by: 'name',
  noted_moments: ['created', 'written'],
  custom_fields: ({ custom_fields }) => custom_fields,
  words: searchedWords,
  found: foundBy,
  found_by: BY_CREATION,
  history: historyOf,
  activity: asRecord(historyOf),
  lists: (organization) => [ownerList(organization.user_id), ...spaceLists(organization)],
  counted: isCommonlyCounted,
  personal: () => [],
  users: () => [],
};
