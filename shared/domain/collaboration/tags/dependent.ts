import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { moved } from '#shared/domain/collaboration/records/move.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { mustExist, mustNotExist, type Table, update, type Write } from '#shared/table/table.ts';
import { countName, type Tag } from './tag.ts';
import type { Tagging } from './tagging.ts';

/** The taggings of a merged or deleted record. Each tag's counter follows. */

/** In one transaction, with two writes each, and one for the target record. */
const AT_ONCE = 49;

function* inGroups(taggings: Tagging[]): Generator<Tagging[]> {
  for (let at = 0; at < taggings.length; at += AT_ONCE) yield taggings.slice(at, at + AT_ONCE);
}

function taggingsOf(table: Table, { type, id }: RecordRef): Promise<Tagging[]> {
  const { PK, SK } = keys.tagging(type, id, '');
  return table.all<Tagging>(PK, SK);
}

function removal(tagging: Tagging): Write[] {
  const { account_id, tag_id, record_type } = tagging;
  return [
    { delete: keyOf(tagging), when: mustExist },
    update<Tag>(keys.tag(account_id, tag_id), { add: { [countName(record_type)]: -1 }, when: mustExist }),
  ];
}

/** A tag that both records have counts once afterwards. */
function arrival(taggings: Tagging[], carried: Set<string>, from: RecordRef, into: RecordRef): Write[] {
  const coming = taggings.filter(({ tag_id }) => !carried.has(tag_id));
  const gained = update<RecordItem>(keys.record(into.type, into.id), {
    add: { tag_ids: new Set(coming.map(({ tag_id }) => tag_id)) },
    when: isLive,
  });
  return [
    ...taggings.filter(({ tag_id }) => carried.has(tag_id)).flatMap(removal),
    ...coming.flatMap((tagging): Write[] => [
      { put: moved(tagging, from, into), when: mustNotExist },
      { delete: keyOf(tagging), when: mustExist },
    ]),
    ...(coming.length > 0 ? [gained] : []),
  ];
}

export const taggingsOfRecords: Dependent = {
  async *moving({ table }, from, into) {
    const [taggings, there] = await Promise.all([taggingsOf(table, from), taggingsOf(table, into)]);
    const carried = new Set(there.map(({ tag_id }) => tag_id));
    for (const some of inGroups(taggings)) yield arrival(some, carried, from, into);
  },
  async *removing({ table }, record) {
    for (const some of inGroups(await taggingsOf(table, record))) yield some.flatMap(removal);
  },
};
