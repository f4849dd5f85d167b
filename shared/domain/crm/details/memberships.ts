import { type Criterion, inList, withTags } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { Granted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { Remembered } from '#shared/domain/collaboration/record-lists/remembered.ts';
import { type GuardedItem, requireRecord } from '#shared/domain/collaboration/records/policy.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { searchedTags, type TagChoice } from '#shared/domain/collaboration/tags/tagged-spaces.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';

/** What spaces are made of: contacts and organizations that were added to them, or tags. */

/** That a record was added to a space. */
export type Membership = {
  id: string;
  /** Who added it. */
  user_id: string;
  created_at: string;
};

/** By the id of the space; missing when there are none. */
export type HasMemberships = { memberships?: Record<string, Membership> };

/** Spaces that one record is added to: each is a place in every order of its lists. */
export const MAX_SPACES = 20;

export const spacesAddedTo = ({ memberships = {} }: HasMemberships) => Object.keys(memberships);

/** The records that were added to a space. */
const spaceList = (id: string) => `space:${id}`;

export const spaceLists = (record: HasMemberships) => spacesAddedTo(record).map(spaceList);

export type Member = GuardedItem & HasMemberships;

/** The record with a membership, or without it. */
export function withMembership<R extends Member>(record: R, space_id: string, membership?: Membership): R {
  const { memberships: before, ...rest } = record;
  const { [space_id]: _, ...others } = before ?? {};
  const memberships = membership ? { ...others, [space_id]: membership } : others;
  return (Object.keys(memberships).length > 0 ? { ...rest, memberships } : rest) as R;
}

/** What a space is made of. */
export type SpaceSetup = GuardedItem & TagChoice & { kind: 'records' | 'tags' };

/** The records that were added to the space. */
export const addedTo = <R extends Member>(space_id: string): Criterion<R> =>
  inList<R>(spaceList(space_id), ({ memberships }) => memberships?.[space_id] !== undefined);

/** The records that carry the tags of the space. */
export function carrying<R extends GuardedItem>(space: TagChoice, dictionary: TagDictionary): Criterion<R>[] {
  const { tags, operator } = searchedTags(space, dictionary);
  return withTags<R>(tags, operator);
}

/** The tags that a space is made of; null for one that records are added to. */
export type SpaceTags = ReturnType<typeof searchedTags> | null;

/** Of accounts and spaces: most are of records. */
const known = new Remembered<SpaceTags>(1_000);

interface Beside {
  tags: Promise<TagDictionary>;
  granted?: Granted | undefined;
}

/** What a space is made of: what an earlier request saw is taken for granted. 404 for one that the caller does not see. */
export async function tagsOfSpace(
  ctx: CallerContext,
  id: string,
  { tags, granted }: Beside,
): Promise<SpaceTags> {
  const read = async () => {
    const [space, dictionary] = await Promise.all([requireRecord<SpaceSetup>(ctx, 'spaces', id), tags]);
    return space.kind === 'tags' ? searchedTags(space, dictionary) : null;
  };
  return granted ? granted.known(known, `${ctx.caller.account.id} space ${id}`, read, null) : read();
}

/** As in `tagsOfSpace`; none when the filter was not sent. */
export async function spaceCriteria<R extends Member>(
  ctx: CallerContext,
  id: string | undefined,
  beside: Beside,
): Promise<Criterion<R>[]> {
  if (id === undefined) return [];
  const made = await tagsOfSpace(ctx, id, beside);
  return made ? withTags(made.tags, made.operator) : [addedTo(id)];
}
