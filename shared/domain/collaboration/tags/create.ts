import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { countNear } from '#shared/domain/platform/limits/near.ts';
import { invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { missing, mustNotExist, type Table, type Write } from '#shared/table/table.ts';
import { tagNames } from './store.ts';
import type { Tag, TagDraft } from './tag.ts';

export function newTag(account_id: string, draft: TagDraft, now: Date): Tag {
  const id = newId(now);
  return {
    ...keys.tag(account_id, id),
    id,
    account_id,
    ...draft,
    created_at: now.toISOString(),
    contact_count: 0,
    organization_count: 0,
    deal_count: 0,
    thread_count: 0,
    file_count: 0,
    calendar_event_count: 0,
  };
}

/** Tags of an account: every list of records reads all of them. */
const MAX_TAGS = 1_000;

/** 400 when an account with so many tags, without deleted ones, has no room for so many more. */
export function requireRoomForTags(live: number, more: number): void {
  if (live + more > MAX_TAGS)
    throw invalidField('tag', 'invalid', `cannot be added: an account has at most ${MAX_TAGS} tags`);
}

/** What is written with a new tag besides. 400 when the account has the maximum number of tags. */
export async function roomForTag(table: Table, account_id: string): Promise<Write[]> {
  const { PK, SK } = keys.tag(account_id, '');
  const live = {
    partition: PK,
    filter: { deleted_at: missing },
    sort: { begins: SK },
  };
  const { count, writes } = await countNear(table, {
    key: keys.accountAdditions(account_id, 'tags'),
    most: MAX_TAGS,
    count: () => table.count<Tag>(live, MAX_TAGS),
  });
  requireRoomForTags(count, 1);
  return writes;
}

/** 409 `tag_name_taken` when another tag has the name; 400 when the account has the maximum number of tags. */
export async function createTag(ctx: CallerContext, draft: TagDraft): Promise<Tag> {
  const tag = newTag(ctx.caller.account.id, draft, ctx.now);
  await retryOnConflict(async () => {
    const room = await roomForTag(ctx.table, tag.account_id);
    await ctx.table.transact([
      tagNames.take(tag.account_id, tag.name, tag.id),
      { put: tag, when: mustNotExist },
      ...room,
    ]);
  });
  return tag;
}
