import type { ContactBook } from '#shared/domain/collaboration/records/contact-book.ts';
import { findContactsByAddress } from './addresses.ts';
import { loadContact } from './policy.ts';

export const contactBook: ContactBook = {
  findByAddress: findContactsByAddress,
  async addressesOf(ctx, id) {
    const contact = await loadContact(ctx, id);
    return contact?.email_addresses.map(({ email_address }) => email_address);
  },
};
