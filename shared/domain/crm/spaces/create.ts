import type { TagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { withSent } from './sent.ts';
import type { Space, SpaceDraft } from './space.ts';
import { spaceChange } from './writes.ts';

/** Of the caller, without anything that was sent but its name and kind. */
function emptySpace({ caller, now }: CallerContext, { name, kind }: SpaceDraft): Space {
  const id = newId(now);
  return {
    ...keys.record('spaces', id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    name,
    description: null,
    color: null,
    icon: null,
    kind,
    chosen_tag_ids: [],
    tag_operator: 'any',
    visibility: 'account',
    archived: false,
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}

export interface Creating {
  tags: TagDictionary;
  /** Further writes of the transaction. */
  also: (space: Space) => Write[];
}

/**
 * 404 for an unknown tag; 400 for tags of a space that is made of records, or when the account has the maximum number of
 * spaces.
 */
export async function createSpace(
  ctx: CallerContext<KeepsLists>,
  draft: SpaceDraft,
  { tags, also }: Creating,
): Promise<Space> {
  const { kind: _, ...sent } = draft;
  const space = withSent(emptySpace(ctx, draft), sent, tags);
  await retryOnConflict(async () => commit(ctx, await spaceChange(ctx, undefined, space, also(space))));
  return space;
}
