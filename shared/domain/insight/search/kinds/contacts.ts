import { idList, textList, titleList } from '#shared/domain/collaboration/record-lists/entry.ts';
import { BY_CREATION } from '#shared/domain/collaboration/record-lists/orders.ts';
import { addressHolders } from '#shared/domain/crm/contacts/addresses.ts';
import type { Contact } from '#shared/domain/crm/contacts/contact.ts';
import { employersOf } from '#shared/domain/crm/contacts/employers.ts';
import { contactIndex } from '#shared/domain/crm/contacts/lists.ts';
import { externalIds } from '#shared/domain/crm/contacts/writes.ts';
import { emailAddress } from '#shared/values.ts';
import { searchableRecords } from '../records.ts';
import { addressesIn, idIn, phonesIn, titleIn } from '../texts.ts';
import { holderOf } from './external-id.ts';

/** Contacts in the search over all records. */
export const searchableContacts = searchableRecords<Contact>({
  index: () => contactIndex,
  named: true,
  titles: [{ order: BY_CREATION, named: [titleList] }],
  texts: [{ order: BY_CREATION, named: [titleList, textList, idList] }],
  async holders(ctx, query) {
    const found = await Promise.all([
      emailAddress.safeParse(query.text).success
        ? addressHolders.candidates(ctx, [query.text.toLowerCase()])
        : [],
      holderOf(ctx, externalIds, query),
    ]);
    return found.flat();
  },
  hit: ({ name, nickname, created_at, email_addresses, phone_numbers, external_id }) => ({
    label: name,
    moment: Date.parse(created_at),
    texts: [
      ...titleIn('name', name),
      ...titleIn('nickname', nickname),
      ...addressesIn(
        'email_addresses',
        email_addresses.map(({ email_address }) => email_address),
      ),
      ...phonesIn(
        'phone_numbers',
        phone_numbers.map(({ phone_number }) => phone_number),
      ),
      ...idIn('external_id', external_id),
    ],
  }),
  /** The position at the employer, or an address. */
  async sublabels(ctx, contacts) {
    const employers = await employersOf(ctx, contacts);
    return contacts.map(({ employments, email_addresses }) => {
      const job = employments.find(({ current }) => current);
      const employer = employers.get(job?.organization?.id ?? '')?.name;
      const parts = [job?.title, employer].filter((part) => typeof part === 'string');
      return parts.join(', ') || (email_addresses[0]?.email_address ?? null);
    });
  },
});
