import { isDeepStrictEqual } from 'node:util';
import type { Caller, CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, type FieldErrors, invalidField } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { at, type Item, mustNotExist, type Table, update, type Write, when } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { canSeeContact } from './policy.ts';
import { EMAIL_ADDRESSES } from './written.ts';

/** The contacts of an email address: an item for each address, written in the contact's own transaction. */

type Holder = Pick<Contact, 'name' | 'visibility' | 'user_id'>;

export type AddressHolders = Item & { address: string; holders: Record<string, Holder> };

/** The oldest contact with the address that the caller sees. */
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

/** The visible contact of each address, if any. Addresses are in lower case. */
export async function findContactsByAddress(
  { table, caller }: CallerContext,
  addresses: string[],
): Promise<Map<string, { id: string; name: string }>> {
  // A page of threads asks for up to a hundred: a name that is milliseconds old suffices, at half the price.
  const items = await readHolders(table, caller.account.id, addresses, { consistent: false });
  const found = new Map<string, { id: string; name: string }>();
  for (const [address, item] of items) {
    const holder = visibleHolder(item, caller);
    if (holder) found.set(address, holder);
  }
  return found;
}

type Addressed = Pick<Contact, 'id' | 'account_id' | 'email_addresses' | keyof Holder>;

const addressesOf = (contact: Addressed | undefined) =>
  contact?.email_addresses.map((entry) => entry.email_address) ?? [];

function holderOf({ name, visibility, user_id }: Addressed): Holder {
  return { name, visibility, user_id };
}

/** 409 `email_address_taken` when a contact that the caller sees has one of the addresses. */
function refuseTaken(
  addresses: string[],
  before: string[],
  caller: Caller,
  items: Map<string, AddressHolders>,
) {
  const taken: FieldErrors = {};
  addresses.forEach((address, i) => {
    const item = items.get(address);
    if (!before.includes(address) && item && visibleHolder(item, caller))
      taken[`email_addresses.${i}.email_address`] = { code: 'taken', message: 'is on another contact' };
  });
  if (Object.keys(taken).length > 0) throw new ApiError('email_address_taken', { fields: taken });
}

/**
 * The writes for a contact's addresses; `before` is undefined for a new contact, `after` for a deleted one. They fail
 * when another contact takes an address first. 409 `email_address_taken` when a contact that the caller sees has an
 * added address; hidden contacts do not count and stay hidden. 400 `too_long` when more change than fit into one
 * transaction.
 */
export async function addressWrites(
  { table, caller }: CallerContext,
  before: Addressed | undefined,
  after: Addressed | undefined,
): Promise<Write[]> {
  const [old, wanted] = [addressesOf(before), addressesOf(after)];
  const same = before && after && isDeepStrictEqual(holderOf(before), holderOf(after));
  const moving = [...new Set([...old, ...wanted])].filter(
    (address) => !same || !old.includes(address) || !wanted.includes(address),
  );
  if (moving.length > EMAIL_ADDRESSES)
    throw invalidField('email_addresses', 'too_long', `no more than ${EMAIL_ADDRESSES} can change at once`);
  const items = await readHolders(table, caller.account.id, moving, { consistent: true });
  refuseTaken(wanted, old, caller, items);
  return moving.flatMap((address): Write[] => {
    const item = items.get(address);
    if (after && wanted.includes(address)) return [claim(after, address, item)];
    return before && item ? [release(before, item)] : [];
  });
}

function claim(contact: Addressed, address: string, item: AddressHolders | undefined): Write {
  const key = keys.emailAddress(contact.account_id, address);
  const holder = holderOf(contact);
  if (!item) return { put: { ...key, address, holders: { [contact.id]: holder } }, when: mustNotExist };
  return update<AddressHolders>(key, {
    set: { holders: at(contact.id, holder) },
    when: { holders: item.holders },
  });
}

function release(contact: Addressed, { PK, SK, holders }: AddressHolders): Write {
  const key = { PK, SK };
  const unchanged = when<AddressHolders>({ holders });
  if (Object.keys(holders).every((id) => id === contact.id)) return { delete: key, when: unchanged };
  return update<AddressHolders>(key, { remove: [['holders', contact.id]], when: unchanged });
}
