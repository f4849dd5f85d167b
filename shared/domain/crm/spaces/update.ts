import { afterChange } from '#shared/domain/collaboration/record-lists/record-change.ts';
import { requireVisibilityRight } from '#shared/domain/collaboration/records/policy.ts';
import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { requireEditableSpace } from './policy.ts';
import { withSent } from './sent.ts';
import type { Space, SpaceChanges } from './space.ts';
import { spaceChange } from './writes.ts';

/**
 * 404 for a space that the caller does not see, 403 for one that the caller may only look at; 404 and 400 as in
 * `withSent`. Nothing is written when nothing changes.
 */
export function updateSpace(
  ctx: CallerContext<KeepsLists>,
  id: string,
  changes: SpaceChanges,
  tags: TagDictionary,
): Promise<Space> {
  return retryOnConflict(async () => {
    const before = await requireEditableSpace(ctx, id);
    if (changes.visibility !== undefined) requireVisibilityRight(before, ctx.caller.user, changes.visibility);
    const after = afterChange(before, withSent(before, changes, tags), ctx.now);
    if (after !== before) await commit(ctx, await spaceChange(ctx, before, after));
    return after;
  });
}
