import { requireKept } from '#shared/domain/collaboration/records/registry.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { type Change, commit, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { invalidField } from '#shared/errors.ts';
import { newId } from '#shared/ids.ts';
import { keys, lists } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  below,
  ConditionFailed,
  either,
  missing,
  mustNotExist,
  sized,
  update,
  type Write,
} from '#shared/table/table.ts';
import { newTag, roomForTag } from './create.ts';
import { requireLiveTag, requireTaggable } from './policy.ts';
import { tagIsLive, tagNames } from './store.ts';
import { countName, type Tag, tagDraft } from './tag.ts';
import type { TagChoice, Tagging } from './tagging.ts';
import {
  type Carried,
  changeOf,
  countUpdate,
  readCarried,
  recordWrite,
  type TaggableRef,
  type Tagger,
  type TaggingPorts,
} from './taggings.ts';

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

/** Tags of a record: lists show all of them. Users who may add one may remove one. */
const MAX_TAGS = 100;

export function requireRoom(carried: number, more = 1): void {
  if (carried + more > MAX_TAGS)
    throw invalidField('tag', 'invalid', `cannot be added: a record has at most ${MAX_TAGS} tags`);
}

/** Fails when the last place was taken meanwhile. */
const recordWithOneMore = (record: TaggableRef, tag_id: string): Write =>
  recordWrite(record, 'add', [tag_id], { tag_ids: either(missing, sized(below(MAX_TAGS))) });

export interface Tagged extends Change {
  applied: Applied;
}

const applied = (tag_id: string) => ({
  tag_ids: [tag_id],
  happened: [{ type: 'tag_applied' as const, detail: { tag_id } }],
});

function applyTag(tagger: Tagger, tag: Tag, { taggings, count }: Carried): Tagged {
  const { ctx, record } = tagger;
  const tag_id = tag.id;
  const existing = taggings.find((tagging) => tagging.tag_id === tag_id) ?? taggings[0];
  // A tagging of a replaced tag becomes one of this tag when the clean-up reaches it.
  if (existing) return { applied: { tagging: { ...existing, tag_id }, tag }, ...noChange };
  requireRoom(count);
  const tagging = newTagging(ctx, record, tag_id);
  const writes = [
    { put: tagging, when: mustNotExist },
    update(keys.tag(ctx.caller.account.id, tag_id), countUpdate(record.type, 1, tagIsLive)),
    recordWithOneMore(record, tag_id),
  ];
  return { applied: { tagging, tag }, ...changeOf(tagger, writes, applied(tag_id)) };
}

/** The tag is created with its first tagging, so neither exists alone. */
async function applyNewTag(tagger: Tagger, choice: NamedTag): Promise<Tagged> {
  const { ctx, record } = tagger;
  const { table, caller, now } = ctx;
  const { PK, SK } = keys.tagging(record.type, record.id, '');
  const [carried, room] = await Promise.all([table.all(PK, SK), roomForTag(table, caller.account.id)]);
  requireRoom(carried.length);
  const tag = newTag(caller.account.id, tagDraft.parse(choice), now);
  const tagging = newTagging(ctx, record, tag.id);
  const writes = [
    tagNames.hold(tag.account_id, tag.name, tag.id),
    { put: { ...tag, [countName(record.type)]: 1 }, when: mustNotExist },
    { put: tagging, when: mustNotExist },
    recordWithOneMore(record, tag.id),
    ...room,
  ];
  return { applied: { tagging, tag }, ...changeOf(tagger, writes, applied(tag.id)) };
}

async function applyByName(tagger: Tagger, choice: NamedTag): Promise<Tagged> {
  const { ctx, record } = tagger;
  const { table, caller } = ctx;
  const tag_id = (await tagNames.find(table, caller.account.id, [choice.name])).get(choice.name);
  if (tag_id === undefined) return applyNewTag(tagger, choice);
  const carried = await readCarried(ctx, record, tag_id);
  // The tag was deleted after its name was read: the name is free now.
  if (!carried.tag) throw new ConditionFailed(undefined);
  return applyTag(tagger, carried.tag, carried);
}

/**
 * The change that applies a tag to a record; an existing tagging without writes. Its transaction fails when another
 * request changes these tags. 404 when the record is hidden or the tag is not in the account; 403 when the caller may
 * only look at the record; 400 when the record, or the account for a new tag, has the maximum number.
 */
export async function planTagging(
  ctx: CallerContext<TaggingPorts>,
  at: TaggableRef,
  choice: TagChoice,
): Promise<Tagged> {
  const found = await requireKept(ctx, at);
  requireTaggable(found);
  const tagger = { ctx, record: { type: at.type, id: found.id } };
  if (!('tag_id' in choice)) return applyByName(tagger, choice);
  const carried = await readCarried(ctx, tagger.record, choice.tag_id);
  return applyTag(tagger, requireLiveTag(carried.tag), carried);
}

/** Applies a tag to a record; returns an existing tagging unchanged. 404 and 403 as in `planTagging`. */
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
