import { ApiError, type FieldErrors } from '../../errors.ts';
import { keys } from '../../table/keys.ts';
import { absent, type Item, type Table, type Write } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { type Contact, canSeeContact } from './contact.ts';

/** Which contacts carry an email address: an item an address, written in the contact's own transaction. */

type Holder = Pick<Contact, 'name' | 'visibility' | 'user_id'>;

export type AddressHolders = Item & { address: string; holders: Record<string, Holder> };

/** The oldest of the contacts with the address that the caller sees. */
function visibleHolder(item: AddressHolders, caller: Caller): { id: string; name: string } | undefined {
  const [first] = Object.entries(item.holders)
    .filter(([, holder]) => canSeeContact(holder, caller.user))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return first && { id: first[0], name: first[1].name };
}

async function readHolders(
  table: Table,
  account: string,
  addresses: string[],
  options: { consistent: boolean },
): Promise<Map<string, AddressHolders>> {
  const items = await table.getMany<AddressHolders>(
    addresses.map((address) => keys.emailAddress(account, address)),
    options,
  );
  return new Map(items.map((item) => [item.address, item]));
}

/** The visible contact of each address that has one. Addresses are lower case. */
export async function findContactsByAddress(
  table: Table,
  caller: Caller,
  addresses: string[],
): Promise<Map<string, { id: string; name: string }>> {
  // A page of threads asks for up to a hundred: a name that is milliseconds old will do, at half the price.
  const items = await readHolders(table, caller.account.id, addresses, { consistent: false });
  const found = new Map<string, { id: string; name: string }>();
  for (const [address, item] of items) {
    const holder = visibleHolder(item, caller);
    if (holder) found.set(address, holder);
  }
  return found;
}

/**
 * The writes that give a new contact its addresses, which fail when another contact came first. 409
 * `email_address_taken` when a contact that the caller sees has one; hidden contacts do not count and stay hidden.
 */
export async function claimAddresses(table: Table, caller: Caller, contact: Contact): Promise<Write[]> {
  const addresses = contact.email_addresses.map((entry) => entry.email_address);
  const items = await readHolders(table, contact.account_id, addresses, { consistent: true });
  const taken: FieldErrors = {};
  addresses.forEach((address, i) => {
    const item = items.get(address);
    if (item && visibleHolder(item, caller))
      taken[`email_addresses.${i}.email_address`] = { code: 'taken', message: 'is on another contact' };
  });
  if (Object.keys(taken).length > 0) throw new ApiError('email_address_taken', { fields: taken });
  const { name, visibility, user_id } = contact;
  return addresses.map((address) =>
    claim(contact, address, { name, visibility, user_id }, items.get(address)),
  );
}

function claim(contact: Contact, address: string, holder: Holder, item: AddressHolders | undefined): Write {
  const key = keys.emailAddress(contact.account_id, address);
  if (!item) return { put: { ...key, address, holders: { [contact.id]: holder } }, when: absent };
  return {
    key,
    update: {
      update: 'SET holders.#contact = :holder',
      condition: 'holders = :before',
      names: { '#contact': contact.id },
      values: { ':holder': holder, ':before': item.holders },
    },
  };
}
