import { type GuardedItem, visibleRecords } from '#shared/domain/collaboration/records/policy.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { findTaggedSpace, searchedTags } from '#shared/domain/collaboration/tags/tagged-spaces.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys, type ThreadOwner } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { type Criterion, withParticipant, withTags } from './criteria.ts';

/**
 * Rows under an organization or a space that connect threads with it: a row for each person, with the addresses, and for
 * each organization of a space. The families of these records write the rows in their own transactions.
 */
type Owned = Pick<GuardedItem, 'id' | 'visibility' | 'user_id'>;

export type OwnerRow = Item & {
  /** It counts for those who see the contact, or the organization. */
  contact?: Owned;
  addresses?: string[];
  organization?: Owned;
};

type Reading = Pick<CallerContext, 'table' | 'caller'>;

/** A thread that a private record alone connects would tell others where it belongs. */
async function visibleTo(ctx: Reading, rows: OwnerRow[]): Promise<OwnerRow[]> {
  const isDoubtful = (record: Owned | undefined): record is Owned =>
    record !== undefined && record.visibility === 'private' && record.user_id !== ctx.caller.user.id;
  const doubtful = (field: 'contact' | 'organization') =>
    rows
      .map((row) => row[field])
      .filter(isDoubtful)
      .map(({ id }) => id);
  const seen = await Promise.all([
    visibleRecords(ctx, 'contacts', doubtful('contact')),
    visibleRecords(ctx, 'organizations', doubtful('organization')),
  ]);
  const ids = new Set(seen.flat().map(({ id }) => id));
  const shows = (record: Owned | undefined) => !isDoubtful(record) || ids.has(record.id);
  return rows.filter(({ contact, organization }) => shows(contact) && shows(organization));
}

/** Of the people of an organization, or of a space with its organizations, that the caller sees, page by page. */
export async function* addressPages(ctx: Reading, owner: ThreadOwner, id: string): AsyncGenerator<string[]> {
  for await (const page of ctx.table.pages<OwnerRow>(keys.ownerRow(owner, id, '').PK)) {
    const rows = await visibleTo(ctx, page);
    const further = rows.flatMap(({ organization }) =>
      organization ? [addressesIn(ctx, 'organizations', organization.id)] : [],
    );
    const own = rows.flatMap(({ addresses = [] }) => addresses);
    yield [...own, ...(await Promise.all(further)).flat()];
  }
}

/** All of them. */
export async function addressesIn(ctx: Reading, owner: ThreadOwner, id: string): Promise<string[]> {
  const found: string[] = [];
  for await (const page of addressPages(ctx, owner, id)) found.push(...page);
  return found;
}

/** Threads with somebody of the organization or the space. */
export async function involving(ctx: Reading, owner: ThreadOwner, id: string): Promise<Criterion> {
  return withParticipant([...new Set(await addressesIn(ctx, owner, id))]);
}

/** Threads of a space: by its people, or by its tags. */
export async function inSpace(
  ctx: Reading,
  id: string,
  tags: TagDictionary | Promise<TagDictionary>,
): Promise<Criterion> {
  const [byPeople, tagged, dictionary] = await Promise.all([
    involving(ctx, 'spaces', id),
    findTaggedSpace(ctx, id),
    tags,
  ]);
  if (!tagged) return byPeople;
  const { tags: searched, operator } = searchedTags(tagged, dictionary);
  return withTags(searched, operator);
}
