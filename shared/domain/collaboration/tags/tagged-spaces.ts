import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import type { Item } from '#shared/table/table.ts';
import { shownTag, type TagDictionary, tagAliases } from './store.ts';

/** Spaces that are made of tags, among the items of their account (docs/specification/records.md, "Spaces"). */

/** Its tags; they may have been replaced or deleted since. */
export type TagChoice = { chosen_tag_ids: string[]; tag_operator: 'any' | 'all' };

/** A space that is made of tags, whoever sees it. */
export type TaggedSpace = Item & TagChoice & { space_id: string };

type Reading = Pick<CallerContext, 'table' | 'caller'>;

export function taggedSpaces({ table, caller }: Reading): Promise<TaggedSpace[]> {
  const { PK, SK } = keys.taggedSpace(caller.account.id, '');
  return table.all<TaggedSpace>(PK, SK);
}

/** Undefined for a space that is not made of tags. */
export const findTaggedSpace = ({ table, caller }: Reading, id: string) =>
  table.get<TaggedSpace>(keys.taggedSpace(caller.account.id, id));

/** The tags that a choice shows: replaced ones as their replacements, and none that was deleted. */
export function chosenTags({ chosen_tag_ids }: TagChoice, dictionary: TagDictionary): string[] {
  return [...new Set(chosen_tag_ids.flatMap((id) => shownTag(dictionary, id)?.id ?? []))];
}

/** What lists are searched for: each tag with its aliases. */
export function searchedTags(
  choice: TagChoice,
  dictionary: TagDictionary,
): { tags: string[][]; operator: 'any' | 'all' } {
  const tags = chosenTags(choice, dictionary).map((id) => tagAliases(dictionary, id));
  // Everything has all of no tags, and nothing one of them.
  return { tags, operator: tags.length > 0 ? choice.tag_operator : 'any' };
}
