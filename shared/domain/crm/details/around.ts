import { begun } from '#shared/begun.ts';
import { type TagDictionary, tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { type TaggedSpace, taggedSpaces } from '#shared/domain/collaboration/tags/tagged-spaces.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { carrying, type Member, spacesAddedTo } from './memberships.ts';
import { remember, type SpacesAhead, spacesAhead } from './spaces-ahead.ts';

/** What is read beside the records of a response. */
export interface Around {
  tags: Promise<TagDictionary>;
  tagged_spaces: Promise<TaggedSpace[]>;
  spaces: SpacesAhead;
}

/** Read at once, with the first records. */
export function readAround(ctx: CallerContext): Around {
  return {
    tags: begun(tagDictionary(ctx.table, ctx.caller.account.id)),
    tagged_spaces: begun(taggedSpaces(ctx)),
    spaces: spacesAhead(ctx),
  };
}

/** The ids of a record's spaces that the caller sees: those that it was added to, and those of its tags. */
export async function spacesOf<R extends Member>(
  ctx: CallerContext,
  records: R[],
  around: Around,
): Promise<(record: R) => string[]> {
  const [dictionary, tagged] = await Promise.all([around.tags, around.tagged_spaces]);
  const ofTags = tagged.map((space) => ({ id: space.space_id, criteria: carrying<R>(space, dictionary) }));
  const spacesFor = (record: R) => [
    ...spacesAddedTo(record),
    ...ofTags.flatMap(({ id, criteria }) => (criteria.every(({ keeps }) => keeps(record)) ? [id] : [])),
  ];
  const all = new Map(records.map((record) => [record.id, spacesFor(record)]));
  const visible = await around.spaces.of([...all.values()].flat());
  const shown = (id: string) => (all.get(id) ?? []).filter((space) => visible.has(space)).sort();
  remember(
    ctx,
    records.flatMap(({ id }) => shown(id)),
  );
  return ({ id }) => shown(id);
}
