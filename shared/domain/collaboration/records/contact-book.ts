import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** Contacts, for records that know people by their email addresses. */
export interface ContactBook {
  /** The visible contact of each address that has one. Addresses are lower case. */
  findByAddress(ctx: CallerContext, addresses: string[]): Promise<Map<string, { id: string; name: string }>>;
  /** The addresses of a contact; undefined when there is none or it is hidden. */
  addressesOf(ctx: CallerContext, id: string): Promise<string[] | undefined>;
}

export interface KnowsContacts {
  contacts: ContactBook;
}
