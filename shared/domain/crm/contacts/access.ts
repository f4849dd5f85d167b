import type { Table, Write } from '#shared/table/table.ts';
import { addressHolders } from './addresses.ts';
import type { Contact } from './contact.ts';
import { ownerWrites } from './owners.ts';

/** What says who sees a contact, besides its item: its addresses, and its rows under organizations and spaces. */
export const accessWrites = async (table: Table, before: Contact, after: Contact): Promise<Write[]> => [
  ...(await addressHolders.follow(table, before, after)),
  ...ownerWrites(before, after),
];
