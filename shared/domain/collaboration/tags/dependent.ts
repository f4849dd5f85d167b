import type { Dependent } from '#shared/domain/collaboration/life/dependent.ts';
import { cameBy, joined, type Passing, parted } from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { moved, returned } from '#shared/domain/collaboration/records/move.ts';
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
import { cameAsRead, said, uniting, withWays } from './ways.ts';

/** The taggings of a merged or deleted record. Each tag's counter follows. */

/** In one transaction, with up to three writes each, and one for each record. */
const AT_ONCE = 32;

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
function arrival(
  taggings: Tagging[],
  carried: Map<string, Tagging>,
  { from, into }: { from: Passing; into: RecordRef },
): Write[] {
  const coming = taggings.filter(({ tag_id }) => !carried.has(tag_id));
  const gained = update<RecordItem>(keys.record(into.type, into.id), {
    add: { tag_ids: new Set(coming.map(({ tag_id }) => tag_id)) },
    when: isLive,
  });
  const doubled = taggings.flatMap((tagging): Write[] => {
    const own = carried.get(tagging.tag_id);
    if (!own) return [];
    const { by } = from;
    return [...removal(tagging), ...(by ? [withWays(own, joined(own, tagging, by, said(tagging)))] : [])];
  });
  return [
    ...doubled,
    ...coming.flatMap((tagging): Write[] => [
      { put: moved(tagging, from, into), when: mustNotExist },
      { delete: keyOf(tagging), when: cameAsRead(tagging) },
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

const shownAgain = (tagging: Tagging): Tagging => ({
  ...tagging,
  list: lists.tagged(tagging.tag_id, tagging.record_type),
});

/** The record carries what its tag shows as now: the tag itself, its replacement, or nothing. */
async function* restoring(table: Table, record: RecordRef): AsyncGenerator<Write[]> {
  const key = keys.record(record.type, record.id);
  for (const tagging of (await taggingsOf(table, record)).filter(rests)) {
    const { record_type, record_id, tag_id, account_id } = tagging;
    const shown = shownTag(await tagDictionary(table, account_id), tag_id);
    const gone: Write = { delete: keyOf(tagging), when: when<Tagging>({ list: tagging.list }) };
    if (shown?.id === tag_id) {
      const { list } = shownAgain(tagging);
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
        ? [{ put: replaced(shownAgain(tagging), shown.id), when: mustNotExist }, counted(tagging, shown.id)]
        : []),
      ...(other ? uniting(other, tagging) : []),
    ];
  }
}

/** One tagging goes back where it came from, and stays if it came another way as well. */
function wayBack(
  tagging: Tagging,
  isThere: boolean,
  { from, into }: { from: RecordRef; into: RecordRef },
): Write[] {
  const { account_id, tag_id, record_type } = tagging;
  const parts = parted(tagging, into.id);
  const more = (isThere ? 0 : 1) - (parts.stays ? 0 : 1);
  const there = { ...returned(tagging, from, into), ...(parts.said as Partial<Tagging>) };
  return [
    ...(isThere ? [] : [{ put: there, when: mustNotExist }]),
    parts.stays
      ? withWays({ ...tagging, ...(parts.left as Partial<Tagging>) }, parts.stays)
      : { delete: keyOf(tagging), when: cameAsRead(tagging) },
    ...(more === 0
      ? []
      : [
          update<Tag>(keys.tag(account_id, tag_id), {
            add: { [countName(record_type)]: more },
            when: mustExist,
          }),
        ]),
  ];
}

const isLost = (tagging: Tagging, into: RecordRef) => parted(tagging, into.id).stays === undefined;

const idsOf = (taggings: Tagging[]) => new Set(taggings.map(({ tag_id }) => tag_id));

/** Tags that both records had are on both again. */
function departure(
  taggings: Tagging[],
  there: ReadonlySet<string>,
  pair: { from: RecordRef; into: RecordRef },
): Write[] {
  const { from, into } = pair;
  const lost = idsOf(taggings.filter((tagging) => isLost(tagging, into)));
  return [
    ...taggings.flatMap((tagging) => wayBack(tagging, there.has(tagging.tag_id), pair)),
    update<RecordItem>(keys.record(into.type, into.id), { add: { tag_ids: idsOf(taggings) } }),
    ...(lost.size > 0
      ? [
          update<RecordItem>(keys.record(from.type, from.id), {
            take: { tag_ids: lost },
            when: { PK: present },
          }),
        ]
      : []),
  ];
}

/** The tags of a survivor and of the record that is no longer merged, once those have returned. */
export async function tagsAfterReturn(
  table: Table,
  from: RecordRef,
  into: RecordRef,
): Promise<{ stays: Set<string>; back: Set<string> }> {
  const taggings = await taggingsOf(table, from);
  const came = taggings.filter((tagging) => cameBy(tagging, into.id));
  return {
    stays: idsOf(taggings.filter((tagging) => !isLost(tagging, into))),
    back: idsOf(came),
  };
}

export const taggingsOfRecords: Dependent = {
  async *moving({ table }, from, into) {
    const [taggings, there] = await Promise.all([taggingsOf(table, from), taggingsOf(table, into)]);
    const carried = new Map(there.map((tagging) => [tagging.tag_id, tagging]));
    for (const some of inGroups(taggings)) yield arrival(some, carried, { from, into });
  },
  async *returning({ table }, from, into) {
    const [taggings, own] = await Promise.all([taggingsOf(table, from), taggingsOf(table, into)]);
    const there = new Set(own.map(({ tag_id }) => tag_id));
    const came = taggings.filter((tagging) => cameBy(tagging, into.id));
    for (const some of inGroups(came)) yield departure(some, there, { from, into });
  },
  async *removing({ table }, record) {
    for (const some of inGroups(await taggingsOf(table, record))) yield some.flatMap(removal);
  },
  async *hiding({ table }, record) {
    const shown = (await taggingsOf(table, record)).filter((tagging) => !rests(tagging));
    for (const some of inGroups(shown)) yield some.flatMap(hiding);
  },
  restoring: ({ table }, record) => restoring(table, record),
};
