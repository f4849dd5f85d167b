import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** Contacts, for records that name people by email address. */
export interface ContactBook {
  /** The visible contact of each address, if any. Addresses are in lower case. */
  findByAddress(ctx: CallerContext, addresses: string[]): Promise<Map<string, { id: string; name: string }>>;
  /** The addresses of a contact; undefined when it does not exist or is hidden. */
  addressesOf(ctx: CallerContext, id: string): Promise<string[] | undefined>;
  /** The addresses of the contacts that the caller pinned. */
  pinnedAddresses(ctx: CallerContext): Promise<string[]>;
}

export interface KnowsContacts {
  contacts: ContactBook;
}
