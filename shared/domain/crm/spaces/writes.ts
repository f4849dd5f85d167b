import { isDeepStrictEqual } from 'node:util';
import { recordChange, recordDeletion } from '#shared/domain/collaboration/record-lists/record-change.ts';
import type { TaggedSpace } from '#shared/domain/collaboration/tags/tagged-spaces.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { spaceLimit } from './limit.ts';
import { spaceIndex } from './lists.ts';
import type { Space } from './space.ts';

/** The row of a space that is made of tags. */
function taggedRow({ account_id, id, chosen_tag_ids, tag_operator }: Space): TaggedSpace {
  return { ...keys.taggedSpace(account_id, id), space_id: id, chosen_tag_ids, tag_operator };
}

function taggedWrites(before: Space | undefined, after: Space): Write[] {
  if (after.kind !== 'tags' || (before && isDeepStrictEqual(taggedRow(before), taggedRow(after)))) return [];
  return [{ put: taggedRow(after) }];
}

/** The row of its tags, and that it counts. */
export const besidesOf = (before: Space | undefined, after: Space): Write[] => [
  ...taggedWrites(before, after),
  ...(before ? [] : [spaceLimit.count(after.account_id)]),
];

/**
 * The change that creates or changes a space, with its lists; `also` are further writes. It fails when another request
 * changes the space. 400 when the account has the maximum number of them.
 */
export function spaceChange(
  ctx: CallerContext,
  before: Space | undefined,
  after: Space,
  also: Write[] = [],
): Promise<Change> {
  const besides = [...besidesOf(before, after), ...also];
  return recordChange(ctx, spaceIndex, { before, after, besides });
}

/** The change that marks a space as deleted. */
export function spaceDeletion(ctx: CallerContext, space: Space): Promise<Change> {
  const tagged: Write[] =
    space.kind === 'tags' ? [{ delete: keys.taggedSpace(space.account_id, space.id) }] : [];
  return recordDeletion(ctx, spaceIndex, space, [...tagged, spaceLimit.uncount(space.account_id)]);
}
