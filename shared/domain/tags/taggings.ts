import { recordNotFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { keys, lists } from '../../table/keys.ts';
import {
  absent,
  ConditionFailed,
  type Item,
  present,
  type Table,
  type Update,
  type Write,
} from '../../table/table.ts';
import { untilUnchanged } from '../../table/until-unchanged.ts';
import type { Caller } from '../caller.ts';
import { recordStands, requireVisible } from '../records/registry.ts';
import type { TaggableType } from '../records/types.ts';
import { findTag, newTag, requireTag, type TagNameLock, tagWrites } from './store.ts';
import { countName, foldName, type Tag, tagDraft } from './tag.ts';
import type { TagChoice, Tagging } from './tagging.ts';

/** Tags on records. A tagging, the tag's counter and the record's `tag_ids` change in one transaction. */

export interface TaggableRef {
  type: TaggableType;
  id: string;
}

type NamedTag = Exclude<TagChoice, { tag_id: string }>;

export interface Applied {
  tagging: Tagging;
  tag: Tag;
}

function newTagging(caller: Caller, record: TaggableRef, tag_id: string, now: Date): Tagging {
  return {
    ...keys.tagging(record.type, record.id, tag_id),
    id: newId(now),
    account_id: caller.account.id,
    tag_id,
    record_type: record.type,
    record_id: record.id,
    user_id: caller.user.id,
    created_at: now.toISOString(),
    list: lists.tagged(tag_id, record.type),
    rank: record.id,
  };
}

function countUpdate(type: TaggableType, difference: 1 | -1): Update {
  return {
    update: `ADD ${countName(type)} :difference`,
    ...present,
    values: { ':difference': difference },
  };
}

function recordWrite(record: TaggableRef, change: 'ADD' | 'DELETE', tag_id: string): Write {
  return {
    key: keys.record(record.type, record.id),
    update: { update: `${change} tag_ids :tags`, ...recordStands, values: { ':tags': new Set([tag_id]) } },
  };
}

async function applyTag(
  table: Table,
  caller: Caller,
  record: TaggableRef,
  tag_id: string,
  now: Date,
): Promise<Applied | undefined> {
  const [tag, existing] = await Promise.all([
    findTag(table, caller.account.id, tag_id),
    table.get<Tagging>(keys.tagging(record.type, record.id, tag_id)),
  ]);
  if (!tag) return undefined;
  if (existing) return { tagging: existing, tag };
  const tagging = newTagging(caller, record, tag_id, now);
  await table.transact([
    { put: tagging, when: absent },
    { key: keys.tag(caller.account.id, tag_id), update: countUpdate(record.type, 1) },
    recordWrite(record, 'ADD', tag_id),
  ]);
  return { tagging, tag };
}

/** The tag is made with its first tagging, so that neither is ever there alone. */
async function applyNewTag(
  table: Table,
  caller: Caller,
  record: TaggableRef,
  choice: NamedTag,
  now: Date,
): Promise<Applied> {
  const tag = newTag(caller.account.id, tagDraft.parse(choice), now);
  const tagging = newTagging(caller, record, tag.id, now);
  await table.transact([
    ...tagWrites({ ...tag, [countName(record.type)]: 1 }),
    { put: tagging, when: absent },
    recordWrite(record, 'ADD', tag.id),
  ]);
  return { tagging, tag };
}

async function applyByName(
  table: Table,
  caller: Caller,
  record: TaggableRef,
  choice: NamedTag,
  now: Date,
): Promise<Applied> {
  const lock = await table.get<TagNameLock>(keys.tagName(caller.account.id, foldName(choice.name)));
  if (!lock) return applyNewTag(table, caller, record, choice, now);
  const applied = await applyTag(table, caller, record, lock.tag_id, now);
  // The tag was deleted after its name was read: the name is free by now.
  if (!applied) throw new ConditionFailed(undefined);
  return applied;
}

/**
 * Puts a tag on a record; the tagging that is there already is given back unchanged. 404 when the record is hidden or
 * the tag is not the account's.
 */
export function tagRecordWith(
  table: Table,
  caller: Caller,
  at: TaggableRef,
  choice: TagChoice,
  now: Date,
): Promise<Applied> {
  return untilUnchanged(async () => {
    const { id } = await requireVisible(table, caller, at);
    const record = { type: at.type, id };
    if (!('tag_id' in choice)) return applyByName(table, caller, record, choice, now);
    const applied = await applyTag(table, caller, record, choice.tag_id, now);
    if (!applied) throw recordNotFound();
    return applied;
  });
}

/** Takes a tag off a record; nothing happens when the record does not carry it. 404 as for `tagRecordWith`. */
export function untagRecord(table: Table, caller: Caller, at: TaggableRef, tag_id: string): Promise<void> {
  return untilUnchanged(async () => {
    const { id } = await requireVisible(table, caller, at);
    const tagging = keys.tagging(at.type, id, tag_id);
    const [carried] = await Promise.all([table.get<Item>(tagging), requireTag(table, caller, tag_id)]);
    if (!carried) return;
    await table.transact([
      { delete: tagging, when: present },
      { key: keys.tag(caller.account.id, tag_id), update: countUpdate(at.type, -1) },
      recordWrite({ type: at.type, id }, 'DELETE', tag_id),
    ]);
  });
}
