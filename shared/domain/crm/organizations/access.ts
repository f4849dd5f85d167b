import type { Table, Write } from '#shared/table/table.ts';
import { domainHolders, nameHolders } from './names.ts';
import type { Organization } from './organization.ts';
import { ownerWrites } from './owners.ts';

/** What says who sees an organization, besides its item: its domains, its name, and its rows under spaces. */
export const accessWrites = async (
  table: Table,
  before: Organization,
  after: Organization,
): Promise<Write[]> => [
  ...(await domainHolders.follow(table, before, after)),
  ...(await nameHolders.follow(table, before, after)),
  ...ownerWrites(before, after),
];
