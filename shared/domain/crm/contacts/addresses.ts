import { Holders } from '#shared/domain/collaboration/records/holders.ts';
import { isRoleAddress } from '#shared/domain/collaboration/records/role-addresses.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Item, type Table } from '#shared/table/table.ts';
import type { Contact } from './contact.ts';
import { employerIds } from './employer-ids.ts';
import { EMAIL_ADDRESSES } from './written.ts';

const inUse = { code: 'taken', message: 'is on another contact' } as const;

const byAddress = {
  type: 'contacts' as const,
  key: keys.emailAddress,
  valuesOf: ({ email_addresses }: Contact) => email_addresses.map(({ email_address }) => email_address),
  shows: employerIds,
  field: 'email_addresses',
  most: EMAIL_ADDRESSES,
};

/**
 * The contacts of an email address. Hidden ones with it do not count, and those of a role may be on several. 409
 * `email_address_taken`.
 */
export const addressHolders = new Holders<Contact>({
  ...byAddress,
  isCommon: isRoleAddress,
  taken: (places) =>
    new ApiError('email_address_taken', {
      fields: Object.fromEntries(places.map((i) => [`email_addresses.${i}.email_address`, inUse])),
    }),
});

/** The same, for a contact whose addresses nobody has, hidden ones included: it conflicts with one that took one since. */
export const freeAddresses = new Holders<Contact>({
  ...byAddress,
  hidden_too: true,
  taken: () => new ConditionFailed(undefined),
});

/** Those of some addresses that contacts have, hidden contacts too. */
export async function heldAddresses(
  table: Table,
  account_id: string,
  addresses: string[],
): Promise<ReadonlySet<string>> {
  const keyOf = (address: string) => keys.emailAddress(account_id, address);
  const items = await table.getMany<Item>(addresses.map(keyOf));
  const held = new Set(items.map(({ SK }) => SK));
  return new Set(addresses.filter((address) => held.has(keyOf(address).SK)));
}

/** The visible contact of each address, if any. Addresses are in lower case. */
export const findContactsByAddress = (ctx: CallerContext, addresses: string[]) =>
  // A page of threads asks for up to a hundred: a name that is milliseconds old suffices.
  addressHolders.find(ctx, addresses, { consistent: false });
