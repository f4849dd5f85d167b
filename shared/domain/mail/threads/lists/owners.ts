import { type GuardedItem, visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { anyOf } from '#shared/domain/platform/postings/plan.ts';
import { keys, type ThreadOwner } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { type Criterion, withParticipant, withTags } from './criteria.ts';

/**
 * Rows that connect threads with a record by addresses or tags: the people of an organization, the addresses or the tags
 * of a space. The families of these records write the rows in their own transactions: one for each person, address or
 * tag.
 */
export type OwnerRow = Item & {
  address?: string;
  /** A person with the addresses: the row counts for those who see the contact. */
  contact?: Pick<GuardedItem, 'id' | 'visibility' | 'user_id'>;
  addresses?: string[];
  tag_id?: string;
  /** For a space with tags: whether one tag suffices. The same on all rows. */
  tag_operator?: 'any' | 'all';
};

type Reading = Pick<CallerContext, 'table' | 'caller'>;

/** A thread that a private contact alone connects would tell others where that contact works. */
async function visibleTo(ctx: Reading, rows: OwnerRow[]): Promise<OwnerRow[]> {
  const doubtful = rows.flatMap(({ contact }) =>
    contact && contact.visibility === 'private' && contact.user_id !== ctx.caller.user.id ? [contact.id] : [],
  );
  const seen = new Set((await visibleRecords(ctx, 'contacts', doubtful)).map(({ id }) => id));
  return rows.filter(({ contact }) => !contact || !doubtful.includes(contact.id) || seen.has(contact.id));
}

export async function involving(ctx: Reading, owner: ThreadOwner, id: string): Promise<Criterion> {
  const rows = await visibleTo(ctx, await ctx.table.all<OwnerRow>(keys.ownerRow(owner, id, '').PK));
  const addresses = rows.flatMap(({ address, addresses = [] }) =>
    address === undefined ? addresses : [address],
  );
  const tags = rows.flatMap((row) => row.tag_id ?? []);
  const byAddress = withParticipant([...new Set(addresses)]);
  if (tags.length === 0) return byAddress;
  const operator = rows.find((row) => row.tag_id)?.tag_operator ?? 'any';
  const byTag = withTags(
    tags.map((id) => [id]),
    operator,
  );
  return anyOf([byTag, byAddress]);
}
