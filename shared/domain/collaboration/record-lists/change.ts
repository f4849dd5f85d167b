import { isDeepStrictEqual } from 'node:util';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Change } from '#shared/domain/platform/jobs/commit.ts';
import { postingChanges } from '#shared/domain/platform/postings/posting.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import {
  type AllOf,
  asRead,
  exactly,
  mustNotExist,
  type Table,
  type Write,
  when,
} from '#shared/table/table.ts';
import { counterWrites } from './counters.ts';
import { dayCounterWrites } from './day-counters.ts';
import { endedListed } from './ended.ts';
import { type ListEntry, type Listed, postingsOf, type RecordIndex } from './entry.ts';
import { indexingJob } from './job.ts';
import { listedOf } from './listed.ts';
import { packedWrites } from './packed.ts';
import { searchWrites } from './searched.ts';
import { sumWrites } from './sums.ts';

/** What changes in the lists of one owner. */
export interface EntryChange {
  before: ListEntry | undefined;
  after: ListEntry;
  /** True when the owner's lists have the record no longer. */
  ends: boolean;
}

/**
 * The condition that the lists of a record follow from what was read of it: tags, shares, pins and mail change it without
 * a later `updated_at`, and so does what its lists follow from besides.
 */
export const listedAsRead = <R extends GuardedItem>({
  tag_ids,
  shares,
  pinned_by,
  carried,
  relisted,
}: R): AllOf<R> =>
  ({
    tag_ids: asRead(tag_ids),
    shares: asRead(shares),
    pinned_by: asRead(pinned_by),
    carried: asRead(carried),
    relisted: asRead(relisted),
  }) as AllOf<GuardedItem> as AllOf<R>;

/** In no list. */
export const nowhere: Listed = { ranks: {}, lists: [], words: [], words_by: '' };

/** The entries of a record; none for one that is being created. */
export function readEntries(table: Table, { type, id }: RecordRef): Promise<ListEntry[]> {
  const { PK, SK } = keys.listEntry(type, id, '');
  return table.all<ListEntry>(PK, SK);
}

/** The owners whose lists are not as they should be. */
export function changesBetween(
  ref: RecordRef,
  entries: ListEntry[],
  wanted: Map<string, Listed>,
): EntryChange[] {
  const owners = new Set([...entries.map(({ owner }) => owner), ...wanted.keys()]);
  return [...owners].flatMap((owner): EntryChange[] => {
    const before = entries.find((entry) => entry.owner === owner);
    const listed = wanted.get(owner);
    if (before && isDeepStrictEqual(before.listed, listed)) return [];
    const after: ListEntry = {
      ...keys.listEntry(ref.type, ref.id, owner),
      record_type: ref.type,
      record_id: ref.id,
      owner,
      revision: (before?.revision ?? 0) + 1,
      listed: listed ?? nowhere,
    };
    return [{ before, after, ends: listed === undefined }];
  });
}

export const asBefore = (before: ListEntry | undefined) =>
  before ? when<ListEntry>({ revision: exactly(before.revision) }) : mustNotExist;

/** The writes that end a change: they fail when another request changed the entry meanwhile. */
export function entryWrites({ before, after, ends }: EntryChange): Write[] {
  const unchanged = asBefore(before);
  const entry: Write = ends ? { delete: keyOf(after), when: unchanged } : { put: after, when: unchanged };
  const listed = before?.listed ?? {};
  return [
    entry,
    ...counterWrites(after, listed, after.listed),
    ...dayCounterWrites(after, listed, after.listed),
    ...sumWrites(after, listed, after.listed),
    ...searchWrites(after, before?.listed, after.listed),
  ];
}

/** The postings to write and to delete between two states of one entry. */
export function postingWrites(entry: ListEntry, before: Listed | undefined, after: Listed): Write[] {
  const { puts, deletes } = postingChanges(postingsOf(entry, before), postingsOf(entry, after));
  return [...puts, ...deletes, ...packedWrites(entry, before, after)];
}

/** The entry and its postings. */
export const changeWrites = (change: EntryChange): Write[] => [
  ...entryWrites(change),
  ...postingWrites(change.after, change.before?.listed, change.after.listed),
];

/** A request, or work without a caller. */
export type Writing = Pick<CallerContext, 'table' | 'now'> &
  Partial<Pick<CallerContext, 'caller' | 'by_agent'>>;

/** The places in lists of a record that is written: those that it has, and those that it should have. */
export interface PlacesOf {
  ref: RecordRef;
  entries: ListEntry[];
  wanted: Map<string, Listed>;
}

/** `before` is undefined for a new record, which has no places unless it is `returning`, `after` for a deleted one. */
export async function readPlaces<R extends GuardedItem>(
  { table, caller, now }: Writing,
  index: RecordIndex<R>,
  before: R | undefined,
  after: R | undefined,
  returning = false,
): Promise<PlacesOf> {
  const ref = { type: index.type, id: (after ?? before)?.id ?? '' };
  const [entries, listed] = await Promise.all([
    before || returning ? readEntries(table, ref) : [],
    listedOf(table, index, after, caller ? [caller.user] : []),
  ]);
  const account_id = (after ?? before)?.account_id;
  const wanted = listed ?? endedListed(entries, { id: ref.id, account_id, moment: now.getTime() });
  return { ref, entries, wanted };
}

/** In the record's own transaction when at most `room` writes are needed, else by a job. */
export function listChange({ ref, entries, wanted }: PlacesOf, room: number, now: Date): Change {
  const changes = changesBetween(ref, entries, wanted);
  const writes = changes.flatMap(changeWrites);
  if (writes.length <= room && !entries.some(({ next }) => next)) return { writes, jobs: [] };
  return { writes: [], jobs: [indexingJob({ record_type: ref.type, record_ids: [ref.id] }, now)] };
}
