import type { TaggableType } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError } from '#shared/errors.ts';
import { foldName } from '#shared/folding.ts';
import { keys, lists } from '#shared/table/keys.ts';
import { asRead, type Condition, missing, present, type Table, when } from '#shared/table/table.ts';
import { isLiveTag, presentTag, type Tag, type TagRecord } from './tag.ts';

/** 409 `tag_name_taken` when another tag has the name. */
export const tagNames = new UniqueNames(
  keys.tagName,
  () =>
    new ApiError('tag_name_taken', {
      fields: { name: { code: 'taken', message: 'is used by another tag' } },
    }),
);

/** The tag exists and is not deleted. */
export const liveTag = { PK: present, deleted_at: missing };

/** The condition of writes that change a tag as it was read. */
export const tagAsRead = (tag: Tag): Condition =>
  when<Tag>({
    ...liveTag,
    name: tag.name,
    color: asRead(tag.color),
    description: asRead(tag.description),
    applicable_to_contacts: asRead(tag.applicable_to_contacts),
    applicable_to_interactions: asRead(tag.applicable_to_interactions),
  });

/** The condition of writes that apply a tag. */
export const tagIsLive: Condition = when<Tag>(liveTag);

/** The taggings of a tag on records of a type. */
export function tagged(tag_id: string, type: TaggableType) {
  return {
    index: 'by_rank' as const,
    partition: lists.tagged(tag_id, type),
  };
}

function byName(a: Tag, b: Tag): number {
  const [first, second] = [foldName(a.name), foldName(b.name)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** The account's tags by id, ordered by name, including deleted ones that still exist. */
export type TagDictionary = ReadonlyMap<string, Tag>;

export async function tagDictionary(table: Table, account_id: string): Promise<TagDictionary> {
  const { PK, SK } = keys.tag(account_id, '');
  const tags = await table.all<Tag>(PK, SK);
  return new Map(tags.sort(byName).map((tag) => [tag.id, tag]));
}

/** The tags for records that are read: nothing is read for records without any, such as new ones. */
export async function tagsFor(
  ctx: CallerContext,
  records: readonly { tag_ids?: ReadonlySet<string> }[],
): Promise<TagDictionary> {
  const tagged = records.some(({ tag_ids }) => tag_ids && tag_ids.size > 0);
  return tagged ? tagDictionary(ctx.table, ctx.caller.account.id) : new Map();
}

/** The tag that took the place of one that is gone. */
const heirOf = (dictionary: TagDictionary, id: string) =>
  [...dictionary.values()].find(({ replaces }) => replaces?.has(id));

/**
 * The tag that a record with this tag id shows, or another item that keeps it: the tag itself or its replacement; undefined
 * when there is none.
 */
export function shownTag(dictionary: TagDictionary, id: string): Tag | undefined {
  let tag = dictionary.get(id) ?? heirOf(dictionary, id);
  while (tag?.deleted_at) tag = dictionary.get(tag.replacement_tag_id ?? '');
  return tag;
}

/**
 * The ids on records that count as this tag: its own and those of deleted tags that it replaces, which records keep
 * until the clean-up reaches them. None when the account has no such tag, or has deleted it.
 */
export function tagAliases(dictionary: TagDictionary, tag_id: string): string[] {
  if (!isLiveTag(dictionary.get(tag_id))) return [];
  return [...dictionary.keys()].filter((id) => shownTag(dictionary, id)?.id === tag_id);
}

/** The tags of a record by name, without duplicates and counts; ids without a tag are skipped. */
export function presentTags(dictionary: TagDictionary, tag_ids: Iterable<string>): TagRecord[] {
  const tags = new Set([...tag_ids].flatMap((id) => shownTag(dictionary, id) ?? []));
  return [...tags].sort(byName).map(presentTag);
}
