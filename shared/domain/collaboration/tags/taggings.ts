import { activityWrites, type Happened } from '#shared/domain/collaboration/activity/activity.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import type { TaggableType } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { keys } from '#shared/table/keys.ts';
import { type AllOf, type Condition, type Update, update, type Write } from '#shared/table/table.ts';
import { tagAliases, tagDictionary } from './store.ts';
import { countName, type Tag } from './tag.ts';
import type { Tagging } from './tagging.ts';

/**
 * Tags on records. A tagging, the tag's counter and the record's `tag_ids` change in one transaction, with the jobs
 * that update users' lists, usually before the response.
 */

/** The ports that tagging requires. */
export type TaggingPorts = SeesRecords & KeepsLists;

export interface TaggableRef {
  type: TaggableType;
  id: string;
}

type TaggedItem = RecordItem & { tag_ids?: Set<string> };

/** `when` is the condition on the tag. */
export function countUpdate(type: TaggableType, difference: 1 | -1, when: Condition): Update<Tag> {
  return { add: { [countName(type)]: difference }, when };
}

export function recordWrite(
  record: TaggableRef,
  change: 'add' | 'take',
  tag_ids: string[],
  further: AllOf<TaggedItem> = {},
): Write {
  return update<TaggedItem>(keys.record(record.type, record.id), {
    [change]: { tag_ids: new Set(tag_ids) },
    when: { ...isLive, ...further },
  });
}

export interface Carried {
  /** Undefined when the account has no such tag, or has deleted it. */
  tag: Tag | undefined;
  aliases: string[];
  /** The taggings by which the record shows the tag; during a clean-up there may be several, or one of another tag. */
  taggings: Tagging[];
  /** The number of all tags of the record. */
  count: number;
}

export async function readCarried(
  { table, caller }: CallerContext,
  record: TaggableRef,
  tag_id: string,
): Promise<Carried> {
  const { PK, SK } = keys.tagging(record.type, record.id, '');
  const [dictionary, all] = await Promise.all([
    tagDictionary(table, caller.account.id),
    table.all<Tagging>(PK, SK),
  ]);
  const aliases = tagAliases(dictionary, tag_id);
  return {
    tag: aliases.length > 0 ? dictionary.get(tag_id) : undefined,
    aliases,
    taggings: all.filter((tagging) => aliases.includes(tagging.tag_id)),
    count: all.length,
  };
}

/** A caller who tags a record. */
export interface Tagger {
  ctx: CallerContext<TaggingPorts>;
  record: TaggableRef;
}

/** `happened` stands in timelines. */
export function changeOf(
  { ctx, record }: Tagger,
  writes: Write[],
  { tag_ids, happened }: { tag_ids: string[]; happened: Happened[] },
): Change {
  const { type, id } = record;
  const told = activityWrites(ctx, { account_id: ctx.caller.account.id, record }, happened);
  const jobs = listJobs(ctx, { account_id: ctx.caller.account.id, type, record_ids: [id], tag_ids });
  return { writes: [...writes, ...told], jobs };
}
