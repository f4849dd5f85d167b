import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { missing, mustNotExist, type Table } from '#shared/table/table.ts';
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

/** Tags of an account: every list of records reads all of them. Concurrent requests may exceed it a little. */
const MAX_TAGS = 1_000;

/** 400 when an account with so many tags, without deleted ones, has no room for so many more. */
export function requireRoomForTags(live: number, more: number): void {
  if (live + more > MAX_TAGS)
    throw invalidField('tag', 'invalid', `cannot be added: an account has at most ${MAX_TAGS} tags`);
}

/** 400 when the account has the maximum number of tags. */
export async function requireRoomForTag(table: Table, account_id: string): Promise<void> {
  const { PK, SK } = keys.tag(account_id, '');
  const live = {
    partition: PK,
    filter: { deleted_at: missing },
    sort: { begins: SK },
  };
  requireRoomForTags(await table.count<Tag>(live, MAX_TAGS), 1);
}

/** 409 `tag_name_taken` when another tag has the name; 400 when the account has the maximum number of tags. */
export async function createTag(ctx: CallerContext, draft: TagDraft): Promise<Tag> {
  const tag = newTag(ctx.caller.account.id, draft, ctx.now);
  await requireRoomForTag(ctx.table, ctx.caller.account.id);
  await ctx.table.transact([
    tagNames.take(tag.account_id, tag.name, tag.id),
    { put: tag, when: mustNotExist },
  ]);
  return tag;
}
