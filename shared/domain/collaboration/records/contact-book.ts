import type { Caller } from '#shared/domain/identity/caller.ts';
import type { Table } from '#shared/table/table.ts';

/** Contacts, for records that know people by their email addresses. */
export interface ContactBook {
  /** The visible contact of each address that has one. Addresses are lower case. */
  findByAddress(
    table: Table,
    caller: Caller,
    addresses: string[],
  ): Promise<Map<string, { id: string; name: string }>>;
  /** The addresses of a contact; undefined when there is none or it is hidden. */
  addressesOf(table: Table, caller: Caller, id: string): Promise<string[] | undefined>;
}

export interface KnowsContacts {
  contacts: ContactBook;
}
