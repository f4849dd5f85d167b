import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import { isLive, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { requireVisible } from '#shared/domain/collaboration/records/registry.ts';
import type { TaggableType } from '#shared/domain/collaboration/records/types.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField, recordNotFound } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keyOf, keys, lists } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  type Condition,
  ConditionFailed,
  mustExist,
  mustNotExist,
  type Update,
  update,
  type Write,
} from '#shared/table/table.ts';
import { newTag, requireRoomForTag, tagAliases, tagDictionary, tagNames, tagStands } from './store.ts';
import { countName, type Tag, tagDraft } from './tag.ts';
import type { TagChoice, Tagging } from './tagging.ts';

/**
 * Tags on records. A tagging, the tag's counter and the record's `tag_ids` change in one transaction, with the jobs that
 * bring users' lists up to it, which they usually have when the request is answered.
 */

/** What tagging asks of the contexts above. */
type TaggingPorts = SeesRecords & KeepsLists;

export interface TaggableRef {
  type: TaggableType;
  id: string;
}

type NamedTag = Exclude<TagChoice, { tag_id: string }>;

export interface Applied {
  tagging: Tagging;
  tag: Tag;
}

function newTagging({ caller, now }: CallerContext, record: TaggableRef, tag_id: string): Tagging {
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

/** `when` is what the tag has to be like. */
function countUpdate(type: TaggableType, difference: 1 | -1, when: Condition): Update<Tag> {
  return { add: { [countName(type)]: difference }, when };
}

function recordWrite(record: TaggableRef, change: 'add' | 'take', tag_ids: string[]): Write {
  return update<RecordItem>(keys.record(record.type, record.id), {
    [change]: { tag_ids: new Set(tag_ids) },
    when: isLive,
  });
}

/** Tags of a record: lists show all of them. Users who may add one may take one away. Some more come at once. */
const MAX_TAGS = 100;

function requireRoom(carried: number): void {
  if (carried >= MAX_TAGS)
    throw invalidField('tag', 'invalid', `cannot be added: a record has at most ${MAX_TAGS} tags`);
}

interface Carried {
  /** Undefined when the account has no such tag, or has deleted it. */
  tag: Tag | undefined;
  aliases: string[];
  /** The taggings for which the record shows the tag; more than one, or another's, while a clean-up is under way. */
  taggings: Tagging[];
  /** All that the record has. */
  count: number;
}

async function readCarried(
  { table, caller }: CallerContext,
  record: TaggableRef,
  tag_id: string,
): Promise<Carried> {
  const { PK, SK } = keys.tagging(record.type, record.id, '');
  const [dictionary, all] = await Promise.all([
    tagDictionary(table, caller.account.id),
    table.all<Tagging>(PK, SK),
  ]);
  const aliases = tagAliases(dictionary, tag_id);
  return {
    tag: aliases.length > 0 ? dictionary.get(tag_id) : undefined,
    aliases,
    taggings: all.filter((tagging) => aliases.includes(tagging.tag_id)),
    count: all.length,
  };
}

/** Somebody who tags a record. */
interface Tagger {
  ctx: CallerContext<TaggingPorts>;
  record: TaggableRef;
}

export interface Tagged extends Change {
  applied: Applied;
}

function changeOf({ ctx, record }: Tagger, writes: Write[], tag_ids: string[]): Change {
  const { type, id } = record;
  const jobs = listJobs(ctx, { account_id: ctx.caller.account.id, type, record_ids: [id], tag_ids });
  return { writes, jobs };
}

async function applyTag(tagger: Tagger, tag_id: string): Promise<Tagged | undefined> {
  const { ctx, record } = tagger;
  const { tag, taggings, count } = await readCarried(ctx, record, tag_id);
  if (!tag) return undefined;
  const existing = taggings.find((tagging) => tagging.tag_id === tag_id) ?? taggings[0];
  // One of a tag that this one replaces becomes a tagging of this one when it is cleaned up.
  if (existing) return { applied: { tagging: { ...existing, tag_id }, tag }, ...noChange };
  requireRoom(count);
  const tagging = newTagging(ctx, record, tag_id);
  const writes = [
    { put: tagging, when: mustNotExist },
    update(keys.tag(ctx.caller.account.id, tag_id), countUpdate(record.type, 1, tagStands)),
    recordWrite(record, 'add', [tag_id]),
  ];
  return { applied: { tagging, tag }, ...changeOf(tagger, writes, [tag_id]) };
}

/** The tag is made with its first tagging, so that neither is ever there alone. */
async function applyNewTag(tagger: Tagger, choice: NamedTag): Promise<Tagged> {
  const { ctx, record } = tagger;
  const { table, caller, now } = ctx;
  const { PK, SK } = keys.tagging(record.type, record.id, '');
  const [carried] = await Promise.all([table.all(PK, SK), requireRoomForTag(table, caller.account.id)]);
  requireRoom(carried.length);
  const tag = newTag(caller.account.id, tagDraft.parse(choice), now);
  const tagging = newTagging(ctx, record, tag.id);
  const writes = [
    tagNames.hold(tag.account_id, tag.name, tag.id),
    { put: { ...tag, [countName(record.type)]: 1 }, when: mustNotExist },
    { put: tagging, when: mustNotExist },
    recordWrite(record, 'add', [tag.id]),
  ];
  return { applied: { tagging, tag }, ...changeOf(tagger, writes, [tag.id]) };
}

async function applyByName(tagger: Tagger, choice: NamedTag): Promise<Tagged> {
  const { table, caller } = tagger.ctx;
  const tag_id = (await tagNames.find(table, caller.account.id, [choice.name])).get(choice.name);
  if (tag_id === undefined) return applyNewTag(tagger, choice);
  const applied = await applyTag(tagger, tag_id);
  // The tag was deleted after its name was read: the name is free now.
  if (!applied) throw new ConditionFailed(undefined);
  return applied;
}

/**
 * What puts a tag on a record; no writes and the tagging that is there when there is one. Its transaction fails when
 * somebody else changes these tags meanwhile. 404 when the record is hidden or the tag is not the account's; 400 when
 * the record, or the account for a new tag, has as many as it may.
 */
export async function planTagging(
  ctx: CallerContext<TaggingPorts>,
  at: TaggableRef,
  choice: TagChoice,
): Promise<Tagged> {
  const { id } = await requireVisible(ctx, at);
  const tagger = { ctx, record: { type: at.type, id } };
  if (!('tag_id' in choice)) return applyByName(tagger, choice);
  const applied = await applyTag(tagger, choice.tag_id);
  if (!applied) throw recordNotFound();
  return applied;
}

/** Puts a tag on a record; the tagging that is there already is given back unchanged. 404 as for `planTagging`. */
export function tagRecordWith(
  ctx: CallerContext<TaggingPorts>,
  at: TaggableRef,
  choice: TagChoice,
): Promise<Applied> {
  return retryOnConflict(async () => {
    const { applied, ...change } = await planTagging(ctx, at, choice);
    await commit(ctx, change);
    return applied;
  });
}

/** Taggings that are removed in one transaction, two writes each: beside them it has room for a few others. */
const REMOVED_AT_ONCE = 45;

export interface Untagged extends Change {
  /** The record shows the tag still: there are so many taggings of tags that it replaced. */
  more: boolean;
}

/**
 * What takes a tag off a record; no writes when the record does not carry it. Its transaction fails when somebody else
 * changes these tags meanwhile. 404 as for `planTagging`.
 */
export async function planUntagging(
  ctx: CallerContext<TaggingPorts>,
  at: TaggableRef,
  tag_id: string,
): Promise<Untagged> {
  const { id } = await requireVisible(ctx, at);
  const record = { type: at.type, id };
  const { tag, aliases, taggings } = await readCarried(ctx, record, tag_id);
  if (!tag) throw recordNotFound();
  const removed = taggings.slice(0, REMOVED_AT_ONCE);
  if (removed.length === 0) return { ...noChange, more: false };
  const left = taggings.slice(REMOVED_AT_ONCE).map((tagging) => tagging.tag_id);
  const tag_ids = aliases.filter((alias) => !left.includes(alias));
  const writes = removed.flatMap((tagging): Write[] => [
    { delete: keyOf(tagging), when: mustExist },
    update(keys.tag(tag.account_id, tagging.tag_id), countUpdate(at.type, -1, mustExist)),
  ]);
  const change = changeOf({ ctx, record }, [...writes, recordWrite(record, 'take', tag_ids)], tag_ids);
  return { ...change, more: left.length > 0 };
}

/** Takes a tag off a record; nothing happens when the record does not carry it. 404 as for `planTagging`. */
export function untagRecord(
  ctx: CallerContext<TaggingPorts>,
  at: TaggableRef,
  tag_id: string,
): Promise<void> {
  return retryOnConflict(async () => {
    let more = true;
    while (more) {
      const change = await planUntagging(ctx, at, tag_id);
      await commit(ctx, change);
      more = change.more;
    }
  });
}
