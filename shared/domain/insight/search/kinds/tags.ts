import { tagDictionary } from '#shared/domain/collaboration/tags/store.ts';
import { isLiveTag, type Tag } from '#shared/domain/collaboration/tags/tag.ts';
import { titleIn } from '../texts.ts';
import { searchableList } from '../whole-list.ts';

/** Tags in the search over all records. */
export const searchableTags = searchableList<Tag>(async ({ table, caller: { account } }) => {
  const tags = await tagDictionary(table, account.id);
  return [...tags.values()].filter(isLiveTag).map((tag) => ({
    id: tag.id,
    record: tag,
    label: tag.name,
    moment: Date.parse(tag.created_at),
    texts: titleIn('name', tag.name),
  }));
});
