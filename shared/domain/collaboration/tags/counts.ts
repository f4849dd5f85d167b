import { type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { requireLiveTag } from './policy.ts';
import { shownTag, tagDictionary, tagged } from './store.ts';
import { countName, isLiveTag, type Tag } from './tag.ts';
import type { Tagging } from './tagging.ts';

/**
 * The number of records that show a tag: those that have it, and those that have a deleted tag which it replaces,
 * without duplicates.
 *
 * Counters are exact after every write, and so are the returned counts, with two limits while the clean-up of a deleted
 * tag is under way. Records that have both tags are looked up; when both tags are on more than `OVERLAP_LIMIT` records
 * of a type, such records count twice until the clean-up reaches them. And a page of records that the clean-up changes
 * between the two reads may count as before or as after.
 */

/** Records of a type that are looked up for one tag. */
const OVERLAP_LIMIT = 1_000;

/** How often records count more than once for one of the tags. */
async function overlap(table: Table, type: TaggableType, fewer: Tag[], most: Tag): Promise<number> {
  const pages = await Promise.all(
    fewer.map((tag) => table.query<Tagging>({ ...tagged(tag.id, type), limit: OVERLAP_LIMIT })),
  );
  const records = new Set(pages.flatMap(({ items }) => items.map((tagging) => tagging.record_id)));
  const taggings = await table.getMany<Tagging>(
    [...records].flatMap((id) => [...fewer, most].map((tag) => keys.tagging(type, id, tag.id))),
  );
  return taggings.length - new Set(taggings.map((tagging) => tagging.record_id)).size;
}

async function countOf(table: Table, type: TaggableType, members: Tag[]): Promise<number> {
  const name = countName(type);
  const [most, ...fewer] = members.filter((tag) => tag[name] > 0).sort((a, b) => b[name] - a[name]);
  if (!most) return 0;
  const rest = fewer.reduce((sum, tag) => sum + tag[name], 0);
  const twice = rest > 0 && rest <= OVERLAP_LIMIT ? await overlap(table, type, fewer, most) : 0;
  return most[name] + rest - twice;
}

/** `members` are the tag and the deleted tags that it replaces. */
async function counted(table: Table, tag: Tag, members: Tag[]): Promise<Tag> {
  const counts = await Promise.all(
    taggableTypes.map(async (type) => [countName(type), await countOf(table, type, members)]),
  );
  return { ...tag, ...Object.fromEntries(counts) };
}

/** Every tag of the account by name, with its counts. */
export async function listTags(table: Table, account_id: string): Promise<Tag[]> {
  const dictionary = await tagDictionary(table, account_id);
  const groups = Map.groupBy(dictionary.values(), ({ id }) => shownTag(dictionary, id));
  const tags = [...dictionary.values()].filter(isLiveTag);
  return Promise.all(tags.map((tag) => counted(table, tag, groups.get(tag) ?? [])));
}

/** A tag with its counts; 404 when the account has no such tag, or has deleted it. */
export async function retrieveTag({ table, caller }: CallerContext, id: string): Promise<Tag> {
  const dictionary = await tagDictionary(table, caller.account.id);
  const tag = requireLiveTag(dictionary.get(id));
  const members = [...dictionary.values()].filter((each) => shownTag(dictionary, each.id) === tag);
  return counted(table, tag, members);
}
