import { ApiError, recordNotFound } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { keys } from '../../table/keys.ts';
import { absent, ConditionFailed, type Item, type Table, type Write } from '../../table/table.ts';
import type { Caller } from '../caller.ts';
import { foldName, presentTag, type Tag, type TagDraft, type TagRecord } from './tag.ts';

/** Holds a name for one tag of the account. */
export type TagNameLock = Item & { tag_id: string };

export function newTag(account_id: string, draft: TagDraft, now: Date): Tag {
  const id = newId(now);
  return {
    ...keys.tag(account_id, id),
    id,
    account_id,
    ...draft,
    created_at: now.toISOString(),
    contact_count: 0,
    organization_count: 0,
    deal_count: 0,
    thread_count: 0,
    file_count: 0,
    calendar_event_count: 0,
  };
}

/** A tag and the item that holds its name; fails when another tag has it. */
export function tagWrites(tag: Tag): Write[] {
  const lock: TagNameLock = { ...keys.tagName(tag.account_id, foldName(tag.name)), tag_id: tag.id };
  return [
    { put: lock, when: absent },
    { put: tag, when: absent },
  ];
}

/** 409 `tag_name_taken` when the account has a tag of that name. */
export async function createTag(table: Table, caller: Caller, draft: TagDraft, now: Date): Promise<Tag> {
  const tag = newTag(caller.account.id, draft, now);
  try {
    await table.transact(tagWrites(tag));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new ApiError('tag_name_taken', {
      fields: { name: { code: 'taken', message: 'is used by another tag' } },
    });
  }
  return tag;
}

export function findTag(table: Table, account_id: string, id: string): Promise<Tag | undefined> {
  return table.get<Tag>(keys.tag(account_id, id));
}

/** 404 when the account has no such tag. */
export async function requireTag(table: Table, caller: Caller, id: string): Promise<Tag> {
  const tag = await findTag(table, caller.account.id, id);
  if (!tag) throw recordNotFound();
  return tag;
}

function byName(a: Tag, b: Tag): number {
  const [first, second] = [foldName(a.name), foldName(b.name)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Every tag of the account by name. */
export async function listTags(table: Table, account_id: string): Promise<Tag[]> {
  const tags = await table.all<Tag>(keys.tag(account_id, '').PK, keys.tag(account_id, '').SK);
  return tags.sort(byName);
}

/** The account's tags by id, in the order of their names. */
export type TagDictionary = ReadonlyMap<string, Tag>;

export async function tagDictionary(table: Table, account_id: string): Promise<TagDictionary> {
  return new Map((await listTags(table, account_id)).map((tag) => [tag.id, tag]));
}

/** The tags of a record by name, without counts; ids that are no tag of the account are left out. */
export function presentTags(dictionary: TagDictionary, tag_ids: Iterable<string>): TagRecord[] {
  const tags = [...new Set(tag_ids)].flatMap((id) => dictionary.get(id) ?? []);
  return tags.sort(byName).map(presentTag);
}
