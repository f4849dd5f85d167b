import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Update, update } from '#shared/table/table.ts';
import { requireTag } from './policy.ts';
import { tagAsRead, tagNames } from './store.ts';
import { presentTag, type Tag, type TagChanges } from './tag.ts';

/**
 * Changes the fields that are sent. 409 `tag_name_taken` when another tag has the name; the tag may change the case of
 * its own name.
 */
export function updateTag(ctx: CallerContext, id: string, draft: TagChanges): Promise<Tag> {
  return retryOnConflict(async () => {
    const tag = await requireTag(ctx, id);
    requireVersion(ctx, id, presentTag(tag));
    if (Object.keys(draft).length === 0) return tag;
    const key = keys.tag(tag.account_id, id);
    const change: Update<Tag> = { set: draft, when: tagAsRead(tag) };
    const renaming = tagNames.change(tag.account_id, id, { from: tag.name, to: draft.name ?? tag.name });
    if (renaming.length === 0) return ctx.table.update<Tag>(key, change);
    await ctx.table.transact([...renaming, update(key, change)]);
    return { ...tag, ...(draft as Partial<Tag>) };
  });
}
