import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { foldName } from '#shared/folding.ts';
import { requireRoom } from './apply.ts';
import { requireRoomForTags } from './create.ts';
import { presentTags, tagDictionary } from './store.ts';
import { isLiveTag } from './tag.ts';

const folded = (tags: { name: string }[]) => new Set(tags.map(({ name }) => foldName(name)));

/**
 * The names of tags that a record with these tags does not have, each once. 400 when it has no room for all of them, or
 * the account has none for those that are new.
 */
export async function missingTags(
  { table, caller }: CallerContext,
  tag_ids: Iterable<string>,
  names: string[],
): Promise<string[]> {
  if (names.length === 0) return [];
  const dictionary = await tagDictionary(table, caller.account.id);
  const own = folded(presentTags(dictionary, tag_ids));
  const live = folded([...dictionary.values()].filter(isLiveTag));
  // The first spelling counts.
  const all = new Map(names.toReversed().map((name) => [foldName(name), name]));
  const missing = [...all].reverse().filter(([name]) => !own.has(name));
  requireRoom(own.size, missing.length);
  requireRoomForTags(live.size, missing.filter(([name]) => !live.has(name)).length);
  return missing.map(([, name]) => name);
}
