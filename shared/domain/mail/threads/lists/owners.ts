import { anyOf } from '#shared/domain/platform/postings/plan.ts';
import { keys, type ThreadOwner } from '#shared/table/keys.ts';
import type { Item, Table } from '#shared/table/table.ts';
import { type Criterion, withParticipant, withTags } from './criteria.ts';

/**
 * Rows that connect threads with a record by addresses or tags: the addresses of an organization's people, the addresses
 * or the tags of a space. The families of these records write the rows, one for each address or tag, in their own
 * transactions.
 */
export type OwnerRow = Item & {
  address?: string;
  tag_id?: string;
  /** For a space with tags: whether one tag suffices. The same on all rows. */
  tag_operator?: 'any' | 'all';
};

export async function involving(table: Table, owner: ThreadOwner, id: string): Promise<Criterion> {
  const rows = await table.all<OwnerRow>(keys.ownerRow(owner, id, '').PK);
  const addresses = rows.flatMap((row) => row.address ?? []);
  const tags = rows.flatMap((row) => row.tag_id ?? []);
  const byAddress = withParticipant(addresses);
  if (tags.length === 0) return byAddress;
  const operator = rows.find((row) => row.tag_id)?.tag_operator ?? 'any';
  const byTag = withTags(
    tags.map((id) => [id]),
    operator,
  );
  return anyOf([byTag, byAddress]);
}
