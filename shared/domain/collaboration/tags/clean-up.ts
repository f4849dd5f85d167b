import { asOfNow, type Context } from '#shared/context.ts';
import { isLive, isResting, isThere, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { type TaggableType, taggableTypes } from '#shared/domain/collaboration/records/types.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { type KeepsLists, listJobs } from '#shared/domain/platform/lists/keeper.ts';
import { backoff } from '#shared/table/backoff.ts';
import { type Key, keyOf, keys, lists, nameOfKey } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  asRead,
  type Condition,
  missing,
  mustExist,
  mustNotExist,
  present,
  type QueryPage,
  type Table,
  type Update,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import { liveTag, shownTag, tagDictionary, tagIsLive } from './store.ts';
import { countName, type Tag } from './tag.ts';
import { replaced, rests, type Tagging } from './tagging.ts';
import { uniting } from './ways.ts';

/**
 * Removes a deleted tag from its records, or replaces it, some records in each transaction. Each transaction removes
 * its records from the tag's list, so an interrupted run starts again from the beginning, and several may run at once.
 * The replacement is read again for every page: it may be deleted meanwhile. Users' lists follow each transaction, by
 * jobs of their own.
 */

/** Taggings read at once. */
const PAGE = 200;
/** In one transaction, with three writes each, two counters and a job: at most 100 writes, and 4 MB of records. */
const RECORDS_AT_ONCE = 25;
/** How often the list is read again when it lacks taggings: an index may lag behind its table. */
const MAX_ROUNDS = 8;
/** Requests that read a record before the clean-up still look up which tag it shows. */
const KEPT_SECONDS = 86_400;
/** Ids that a tag keeps of those it replaced: every page with tags reads them all, and an item has 400 KB. */
const MAX_REPLACED = 1_000;

interface CleanUp {
  ctx: Context<KeepsLists>;
  account_id: string;
  tag_id: string;
  type: TaggableType;
}

/**
 * A record that is being merged keeps its taggings until they move. A merge ends only when its tags are as they were
 * when the last of them moved. A deleted record that may be restored keeps them, without being counted.
 */
const THERE = [isLive, { PK: present, merging: present }, { deleting: true, purging: missing }];

const hasTaggings = (record: RecordItem | undefined): record is RecordItem =>
  isResting(record) ||
  (isThere(record) && (record.merged_into === undefined || record.merging !== undefined));

function countUpdate(type: TaggableType, difference: number, is: Condition): Update<Tag> {
  return { add: { [countName(type)]: difference }, when: is };
}

/** DynamoDB cannot remove from a set and add to it in one update, so the set is written whole. */
function retag(record: RecordItem, remove: string, add: string | undefined): Write[] {
  const before = record.tag_ids;
  const after = new Set(before);
  after.delete(remove);
  if (add) after.add(add);
  if (!before && after.size === 0) return [];
  return [
    update<RecordItem>(keyOf(record), {
      set: { tag_ids: after.size > 0 ? after : undefined },
      remove: after.size > 0 ? [] : ['tag_ids'],
      when: THERE.map((there) => ({ ...there, tag_ids: asRead(before) })),
    }),
  ];
}

interface Settled {
  record_id: string;
  writes: Write[];
  /** Whether the record gains the other tag: it may have it already. */
  gained: boolean;
  /** Whether tags count the record. */
  counted: boolean;
}

function settleRecord(
  { tag_id, type }: CleanUp,
  tagging: Tagging,
  record: RecordItem | undefined,
  shown: { id: string; carried: Tagging | undefined } | undefined,
): Settled {
  const { record_id } = tagging;
  const as = when<Tagging>({ list: tagging.list });
  const loss: Write = { delete: keys.tagging(type, record_id, tag_id), when: as };
  const counted = !rests(tagging);
  if (!hasTaggings(record)) return { record_id, writes: [loss], gained: false, counted };
  const writes = [loss, ...retag(record, tag_id, shown?.id)];
  if (!shown) return { record_id, writes, gained: false, counted };
  if (shown.carried)
    return { record_id, writes: [...writes, ...uniting(shown.carried, tagging)], gained: false, counted };
  const gain = { put: replaced(tagging, shown.id), when: mustNotExist };
  return { record_id, writes: [...writes, gain], gained: true, counted };
}

/** Reads the records again, because the index may be stale, and skips those that no longer have the tag. */
async function settle(cleanUp: CleanUp, record_ids: string[], shown: Tag | undefined): Promise<void> {
  const { ctx, account_id, tag_id, type } = cleanUp;
  const { table } = ctx;
  const keysOf = (id: string) => ({
    record: keys.record(type, id),
    tagging: keys.tagging(type, id, tag_id),
    other: keys.tagging(type, id, shown?.id ?? tag_id),
  });
  const items = await table.getMany(record_ids.flatMap((id) => Object.values(keysOf(id))));
  const found = new Map(items.map((item) => [nameOfKey(item), item]));
  const at = (key: Key) => found.get(nameOfKey(key));
  const settled = record_ids.flatMap((id) => {
    const { record, tagging, other } = keysOf(id);
    const carried = at(tagging) as Tagging | undefined;
    const instead = shown && { id: shown.id, carried: at(other) as Tagging | undefined };
    return carried ? settleRecord(cleanUp, carried, at(record), instead) : [];
  });
  if (settled.length === 0) return;
  const counted = settled.filter((each) => each.counted);
  const gained = counted.filter((each) => each.gained).length;
  const changed = settled.map(({ record_id }) => record_id);
  const tag_ids = [tag_id, ...(shown ? [shown.id] : [])];
  await commit(ctx, {
    writes: [
      ...settled.flatMap(({ writes }) => writes),
      update(keys.tag(account_id, tag_id), countUpdate(type, -counted.length, mustExist)),
      ...(shown && gained > 0
        ? [update(keys.tag(account_id, shown.id), countUpdate(type, gained, tagIsLive))]
        : []),
    ],
    jobs: listJobs(asOfNow(ctx), { account_id, type, record_ids: changed, tag_ids }),
  });
}

function settlePage(cleanUp: CleanUp, record_ids: string[]): Promise<void> {
  return retryOnConflict(async () => {
    const dictionary = await tagDictionary(cleanUp.ctx.table, cleanUp.account_id);
    const shown = shownTag(dictionary, cleanUp.tag_id);
    for (let i = 0; i < record_ids.length; i += RECORDS_AT_ONCE)
      await settle(cleanUp, record_ids.slice(i, i + RECORDS_AT_ONCE), shown);
  });
}

/** False when the time was up before the end of the list. */
async function settleList(cleanUp: CleanUp, list: string, timeIsUp: () => boolean): Promise<boolean> {
  let after: Record<string, unknown> | undefined;
  do {
    const page: QueryPage<Tagging> = await cleanUp.ctx.table.query({
      index: 'by_rank',
      partition: list,
      limit: PAGE,
      after,
    });
    const record_ids = page.items.map((tagging) => tagging.record_id);
    if (record_ids.length > 0) await settlePage(cleanUp, record_ids);
    after = page.last;
    if (after && timeIsUp()) return false;
  } while (after);
  return true;
}

/** Of the tags that were created last. */
const newest = (ids: Iterable<string> = []) => [...ids].sort().reverse();

/**
 * No record has the tag any more: the tag that records show instead takes its place, what pointed to it is redirected, and
 * the job is complete.
 */
async function finish(table: Table, account_id: string, tag_id: string, job_id: string, now: Date) {
  const dictionary = await tagDictionary(table, account_id);
  const tag = dictionary.get(tag_id);
  if (!tag) return;
  for (const other of [...dictionary.values()].filter((each) => each.replacement_tag_id === tag_id))
    await table.update<Tag>(keys.tag(account_id, other.id), {
      set: { replacement_tag_id: tag.replacement_tag_id ?? null },
      when: { replacement_tag_id: tag_id },
    });
  const shown = shownTag(dictionary, tag_id);
  const before = shown?.replaces;
  const replaces = new Set([tag_id, ...newest(tag.replaces), ...newest(before)].slice(0, MAX_REPLACED));
  const is = when<Tag>({ ...liveTag, replaces: asRead(before) });
  const expires = Math.floor(now.getTime() / 1_000) + KEPT_SECONDS;
  await table.transact([
    update<Tag>(keys.tag(account_id, tag_id), { set: { expires_epoch: expires }, when: mustExist }),
    ...(shown ? [update<Tag>(keys.tag(account_id, shown.id), { set: { replaces }, when: is })] : []),
    complete(job_id),
  ]);
}

export interface CleanUpJob {
  job_id: string;
  account_id: string;
  tag_id: string;
}

/** `more` when the time was up: another message of the job continues. */
export async function cleanUpTag(
  ctx: Context<KeepsLists>,
  { job_id, account_id, tag_id }: CleanUpJob,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const { table } = ctx;
  const cleanUp = { ctx, account_id, tag_id };
  let left: readonly TaggableType[] = taggableTypes;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const tag = await table.get<Tag>(keys.tag(account_id, tag_id));
    if (!tag?.deleted_at) return 'done';
    if (round > 0) left = taggableTypes.filter((type) => tag[countName(type)] > 0);
    if (left.length === 0) {
      await retryOnConflict(() => finish(table, account_id, tag_id, job_id, ctx.clock()));
      return 'done';
    }
    if (round > 1) await backoff(round);
    for (const type of left)
      for (const list of [lists.tagged(tag_id, type), lists.restingTagged(tag_id, type)])
        if (!(await settleList({ ...cleanUp, type }, list, timeIsUp))) return 'more';
  }
  throw new Error('A deleted tag counts records that its list does not have');
}
