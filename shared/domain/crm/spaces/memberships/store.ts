import { keys } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import type { MemberRef } from './membership.ts';

/** The rows under a space (crm/details/owner-rows.ts). */
export type MemberRow = Item & {
  membership_id: string;
  contact?: { id: string };
  organization?: { id: string };
};

export const memberPartition = (space_id: string) => keys.ownerRow('spaces', space_id, '').PK;

export function memberOf({ contact, organization }: MemberRow): MemberRef | undefined {
  if (contact) return { type: 'contacts', id: contact.id };
  return organization && { type: 'organizations', id: organization.id };
}

/** The record of a membership, whoever sees it. */
export async function findMember(table: Table, space_id: string, id: string): Promise<MemberRef | undefined> {
  const rows = await table.all<MemberRow>(memberPartition(space_id));
  const row = rows.find(({ membership_id }) => membership_id === id);
  return row && memberOf(row);
}
