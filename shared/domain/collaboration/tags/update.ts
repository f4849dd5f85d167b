import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { foldName } from '#shared/folding.ts';
import { keys } from '#shared/table/keys.ts';
import { updateExpression } from '#shared/table/requests.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed, type Table, type Update, type Write } from '#shared/table/table.ts';
import { nameTaken, requireTag, type TagNameLock, tagStands } from './store.ts';
import type { Tag, TagChanges } from './tag.ts';

/** Only while the tag has the name that was read: its lock must be the one that is moved. */
function changeWrite(tag: Tag, draft: TagChanges): Update {
  const { update, names, values } = updateExpression(draft);
  return {
    update,
    condition: `${tagStands.condition} AND #name = :before`,
    names: { ...names, '#name': 'name' },
    values: { ...values, ':before': tag.name },
  };
}

/** The tag lets go of its name and holds the new one; the first of them fails when another tag has that. */
function lockWrites(tag: Tag, name: string): Write[] {
  const lock: TagNameLock = { ...keys.tagName(tag.account_id, foldName(name)), tag_id: tag.id };
  const own = { condition: 'tag_id = :tag', values: { ':tag': tag.id } };
  return [
    { put: lock, when: { ...own, condition: `attribute_not_exists(PK) OR ${own.condition}` } },
    { delete: keys.tagName(tag.account_id, foldName(tag.name)), when: own },
  ];
}

async function rename(table: Table, tag: Tag, draft: TagChanges & { name: string }): Promise<Tag> {
  try {
    await table.transact([
      ...lockWrites(tag, draft.name),
      { key: keys.tag(tag.account_id, tag.id), update: changeWrite(tag, draft) },
    ]);
  } catch (error) {
    throw error instanceof ConditionFailed && error.index === 0 ? nameTaken() : error;
  }
  return { ...tag, ...draft };
}

/**
 * Changes what is sent. 409 `tag_name_taken` for a name that another tag has; the tag's own name may be written in
 * another way.
 */
export function updateTag(ctx: CallerContext, id: string, draft: TagChanges): Promise<Tag> {
  return retryOnConflict(async () => {
    const tag = await requireTag(ctx, id);
    if (Object.keys(draft).length === 0) return tag;
    const { name } = draft;
    if (name !== undefined && foldName(name) !== foldName(tag.name))
      return rename(ctx.table, tag, { ...draft, name });
    return ctx.table.update<Tag>(keys.tag(tag.account_id, id), changeWrite(tag, draft));
  });
}
