import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist, update, type Write } from '#shared/table/table.ts';
import { requireLiveTag, requireTaggable } from './policy.ts';
import {
  changeOf,
  countUpdate,
  readCarried,
  recordWrite,
  type TaggableRef,
  type TaggingPorts,
} from './taggings.ts';

/** Taggings removed in one transaction, two writes each, which leaves room for a few other writes. */
const REMOVED_AT_ONCE = 45;

export interface Untagged extends Change {
  /** The record still shows the tag, because of further taggings of tags that it replaced. */
  more: boolean;
}

/**
 * The change that removes a tag from a record; no writes when the record does not have it. Its transaction fails when
 * another request changes these tags. 404 and 403 as in `planTagging`.
 */
export async function planUntagging(
  ctx: CallerContext<TaggingPorts>,
  at: TaggableRef,
  tag_id: string,
): Promise<Untagged> {
  const found = await requireVisible(ctx, at);
  requireTaggable(found);
  const record = { type: at.type, id: found.id };
  const { tag: carried, aliases, taggings } = await readCarried(ctx, record, tag_id);
  const tag = requireLiveTag(carried);
  const removed = taggings.slice(0, REMOVED_AT_ONCE);
  if (removed.length === 0) return { ...noChange, more: false };
  const left = taggings.slice(REMOVED_AT_ONCE).map((tagging) => tagging.tag_id);
  const tag_ids = aliases.filter((alias) => !left.includes(alias));
  const writes = removed.flatMap((tagging): Write[] => [
    { delete: keyOf(tagging), when: mustExist },
    update(keys.tag(tag.account_id, tagging.tag_id), countUpdate(at.type, -1, mustExist)),
  ]);
  const change = changeOf({ ctx, record }, [...writes, recordWrite(record, 'take', tag_ids)], {
    tag_ids,
    happened: left.length > 0 ? [] : [{ type: 'tag_removed', detail: { tag_id } }],
  });
  return { ...change, more: left.length > 0 };
}

/** Removes a tag from a record; does nothing when the record does not have it. 404 and 403 as in `planTagging`. */
export function untagRecord(
  ctx: CallerContext<TaggingPorts>,
  at: TaggableRef,
  tag_id: string,
): Promise<void> {
  return retryOnConflict(async () => {
    let more = true;
    while (more) {
      const change = await planUntagging(ctx, at, tag_id);
      await commit(ctx, change);
      more = change.more;
    }
  });
}
