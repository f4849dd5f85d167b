import { setTimeout as sleep } from 'node:timers/promises';
import { type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import { keys } from '#shared/table/keys.ts';
import { ConditionFailed, type Table } from '#shared/table/table.ts';
import { tagDictionary, tagged } from './store.ts';
import { type CountName, countName, type Tag } from './tag.ts';

/** Counts taggings and compares the numbers with the tags' counters, also of deleted tags that still exist. */

export interface Difference {
  tag: Tag;
  name: CountName;
  stored: number;
  found: number;
  /** False when the first look differed: the tag is being applied or removed. */
  settled: boolean;
}

/** Milliseconds between two looks: the index may lag behind the table. */
const LOOK_AGAIN = 1_000;
const MAX_LOOKS = 5;

/** Undefined when counter and taggings agree. */
async function look(table: Table, tag: Tag, type: TaggableType): Promise<Difference | undefined> {
  const name = countName(type);
  const found = await table.count(tagged(tag.id, type));
  const now = await table.get<Tag>(keys.tag(tag.account_id, tag.id));
  if (!now || now[name] === found) return undefined;
  return { tag: now, name, stored: now[name], found, settled: false };
}

/** A difference that is the same twice is real. */
async function differenceOf(table: Table, tag: Tag, type: TaggableType): Promise<Difference | undefined> {
  let before = await look(table, tag, type);
  for (let looks = 1; before && looks < MAX_LOOKS; looks++) {
    await sleep(LOOK_AGAIN);
    const again = await look(table, tag, type);
    if (again && again.stored === before.stored && again.found === before.found)
      return { ...again, settled: true };
    before = again;
  }
  return before;
}

export async function* differences(table: Table, account_id: string): AsyncGenerator<Difference> {
  for (const tag of (await tagDictionary(table, account_id)).values())
    for (const type of taggableTypes) {
      const difference = await differenceOf(table, tag, type);
      if (difference) yield difference;
    }
}

/** Sets the counter to the counted number; false when it has changed since. */
export async function repairCount(table: Table, { tag, name, stored, found }: Difference): Promise<boolean> {
  try {
    await table.update<Tag>(keys.tag(tag.account_id, tag.id), {
      set: { [name]: found },
      when: { [name]: stored },
    });
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}
