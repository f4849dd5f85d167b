import type { Context } from '#shared/context.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import {
  type AllOf,
  asRead,
  mustNotExist,
  present,
  type Table,
  TRANSACTION_LIMIT,
  update,
  type Write,
  when,
} from '#shared/table/table.ts';
import {
  asBefore,
  changesBetween,
  changeWrites,
  type EntryChange,
  entryWrites,
  listedAsRead,
  nowhere,
  postingWrites,
  readEntries,
} from './change.ts';
import { endedListed } from './ended.ts';
import type { ListEntry, Listed, RecordIndex } from './entry.ts';
import { listedOf } from './listed.ts';
import type { ListedItem } from './listed-item.ts';

/** Brings the lists of a record to what is stored, in transactions that may be interrupted and repeated anywhere. */

/** Completes a change of many postings: first those, then the entry. Throws ConditionFailed when another worker did. */
async function finish(table: Table, begun: ListEntry, next: Listed): Promise<void> {
  const meanwhile: Write = { check: keyOf(begun), when: asBefore(begun) };
  const writes = postingWrites(begun, begun.listed, next);
  const step = TRANSACTION_LIMIT - 1;
  for (let at = 0; at < writes.length; at += step)
    await table.transact([meanwhile, ...writes.slice(at, at + step)]);
  const { next: _, ...entry } = begun;
  const after = { ...entry, listed: next, revision: begun.revision + 1 };
  await table.transact(entryWrites({ before: begun, after, ends: next.lists.length === 0 }));
}

/** Announces a change first, so that whoever comes after an interruption knows what may be written. */
async function applyInSteps(table: Table, { before, after }: EntryChange): Promise<void> {
  const begun: ListEntry = { ...after, listed: before?.listed ?? nowhere, next: after.listed };
  await table.put(begun, asBefore(before));
  await finish(table, begun, after.listed);
}

/** The record is as it was read: its lists follow from it. */
function stillAs(record: GuardedItem): AllOf<ListedItem> {
  const { deleting, merged_into, updated_at } = record as ListedItem;
  const live = {
    deleting: asRead(deleting),
    merged_into: asRead(merged_into),
    updated_at: asRead(updated_at),
  };
  return { PK: present, ...live, ...(listedAsRead(record) as AllOf<ListedItem>) };
}

const unchanged = (key: Key, record: GuardedItem | undefined): Write => ({
  check: key,
  when: record ? when<ListedItem>(stillAs(record)) : mustNotExist,
});

/** The same; and a request that has read the record, and not what its lists follow from by now, reads both again. */
const relisting = (key: Key, record: GuardedItem | undefined): Write =>
  record ? update<ListedItem>(key, { add: { relisted: 1 }, when: stillAs(record) }) : unchanged(key, record);

const relisted = (record: GuardedItem | undefined): GuardedItem | undefined =>
  record && { ...record, relisted: (record.relisted ?? 0) + 1 };

type Work = Pick<Context, 'table' | 'clock'>;

async function tryToIndex<R extends GuardedItem>(
  work: Work,
  index: RecordIndex<R>,
  id: string,
  end: Write[],
): Promise<void> {
  const { table } = work;
  const ref = { type: index.type, id };
  const key = keys.record(ref.type, id);
  const [record, entries] = await Promise.all([table.get<R>(key), readEntries(table, ref)]);
  const open = entries.filter(({ next }) => next);
  for (const entry of open) await finish(table, entry, entry.next as Listed);
  if (open.length > 0) return tryToIndex(work, index, id, end);
  const moment = work.clock().getTime();
  const ended = () => endedListed(entries, { id, account_id: record?.account_id, moment });
  const changes = changesBetween(ref, entries, (await listedOf(table, index, record)) ?? ended());
  const writes = changes.flatMap(changeWrites);
  if (writes.length === 0)
    return end.length === 0 ? undefined : table.transact([unchanged(key, record), ...end]);
  if (writes.length + end.length < TRANSACTION_LIMIT)
    return table.transact([relisting(key, record), ...writes, ...end]);
  await table.transact([relisting(key, record)]);
  const check = unchanged(key, relisted(record));
  for (const change of changes) {
    const some = [check, ...changeWrites(change)];
    await (some.length <= TRANSACTION_LIMIT ? table.transact(some) : applyInSteps(table, change));
  }
  // The record may have changed while its postings were written.
  return tryToIndex(work, index, id, end);
}

/** Idempotent. `end` are the writes of the last transaction. */
export function indexRecord<R extends GuardedItem>(
  work: Work,
  index: RecordIndex<R>,
  id: string,
  end: Write[] = [],
): Promise<void> {
  return retryOnConflict(() => tryToIndex(work, index, id, end));
}
