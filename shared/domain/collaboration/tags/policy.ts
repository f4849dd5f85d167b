import type { VisibleRecord } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { ApiError, recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { isLiveTag, type Tag } from './tag.ts';

/** All users of an account see and change its tags, and put them on what they may change; its admins delete them. */

/** 403 `permission_denied` for a record that the caller may only look at. */
export function requireTaggable({ access }: VisibleRecord): void {
  if (access === 'view') throw new ApiError('permission_denied');
}

/** 404 for a missing or a deleted tag. */
export function requireLiveTag(tag: Tag | undefined): Tag {
  if (!isLiveTag(tag)) throw recordNotFound();
  return tag;
}

/** 404 when the account has no such tag, or has deleted it. */
export async function requireTag({ table, caller }: CallerContext, id: string): Promise<Tag> {
  return requireLiveTag(await table.get<Tag>(keys.tag(caller.account.id, id)));
}
