import type { ContactBook } from '#shared/domain/collaboration/records/contact-book.ts';
import { findContactsByAddress } from './addresses.ts';
import { pinnedContacts } from './pin.ts';
import { loadContact } from './policy.ts';

export const contactBook: ContactBook = {
  findByAddress: findContactsByAddress,
  async addressesOf(ctx, id) {
    const contact = await loadContact(ctx, id);
    return contact?.email_addresses.map(({ email_address }) => email_address);
  },
  async pinnedAddresses(ctx) {
    const pinned = await pinnedContacts(ctx);
    return pinned.flatMap((contact) => contact.email_addresses.map(({ email_address }) => email_address));
  },
};
