import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { moved } from '#shared/domain/collaboration/records/move.ts';
import { keyOf, keys, lists } from '#shared/table/keys.ts';
import {
  asRead,
  missing,
  mustExist,
  mustNotExist,
  present,
  type Table,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { shownTag, tagDictionary, tagIsLive } from './store.ts';
import { countName, type Tag } from './tag.ts';
import { replaced, rests, type Tagging } from './tagging.ts';

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
  const gone: Write = { delete: keyOf(tagging), when: when<Tagging>({ list: tagging.list }) };
  if (rests(tagging)) return [gone];
  return [
    gone,
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

/** A tag does not count a deleted record. */
function hiding(tagging: Tagging): Write[] {
  const { account_id, tag_id, record_type, list } = tagging;
  return [
    update<Tagging>(keyOf(tagging), {
      set: { list: lists.restingTagged(tag_id, record_type) },
      when: { list },
    }),
    update<Tag>(keys.tag(account_id, tag_id), { add: { [countName(record_type)]: -1 }, when: mustExist }),
  ];
}

/** Counted again. */
function counted(tagging: Tagging, tag_id: string): Write {
  const { account_id, record_type } = tagging;
  return update<Tag>(keys.tag(account_id, tag_id), {
    add: { [countName(record_type)]: 1 },
    when: tagIsLive,
  });
}

const back = (tagging: Tagging): Tagging => ({
  ...tagging,
  list: lists.tagged(tagging.tag_id, tagging.record_type),
});

/** The record carries what its tag shows as now: the tag itself, its replacement, or nothing. */
async function* returning(table: Table, record: RecordRef): AsyncGenerator<Write[]> {
  const key = keys.record(record.type, record.id);
  for (const tagging of (await taggingsOf(table, record)).filter(rests)) {
    const { record_type, record_id, tag_id, account_id } = tagging;
    const shown = shownTag(await tagDictionary(table, account_id), tag_id);
    const gone: Write = { delete: keyOf(tagging), when: when<Tagging>({ list: tagging.list }) };
    if (shown?.id === tag_id) {
      const { list } = back(tagging);
      const write = update<Tagging>(keyOf(tagging), { set: { list }, when: { list: tagging.list } });
      yield [write, counted(tagging, tag_id)];
      continue;
    }
    const item = await table.get<RecordItem>(key);
    const other = shown && (await table.get<Tagging>(keys.tagging(record_type, record_id, shown.id)));
    const tag_ids = new Set([...(item?.tag_ids ?? [])].filter((id) => id !== tag_id));
    if (shown) tag_ids.add(shown.id);
    yield [
      gone,
      update<RecordItem>(key, {
        ...(tag_ids.size > 0 ? { set: { tag_ids } } : { remove: ['tag_ids'] }),
        when: { PK: present, deleting: missing, tag_ids: asRead(item?.tag_ids) },
      }),
      ...(shown && !other
        ? [{ put: replaced(back(tagging), shown.id), when: mustNotExist }, counted(tagging, shown.id)]
        : []),
    ];
  }
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
  async *hiding({ table }, record) {
    const shown = (await taggingsOf(table, record)).filter((tagging) => !rests(tagging));
    for (const some of inGroups(shown)) yield some.flatMap(hiding);
  },
  restoring: ({ table }, record) => returning(table, record),
};
