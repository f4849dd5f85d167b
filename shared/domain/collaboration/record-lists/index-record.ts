import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { type Table, TRANSACTION_LIMIT, type Write } from '#shared/table/table.ts';
import {
  asBefore,
  changesBetween,
  type EntryChange,
  entryWrite,
  nowhere,
  postingWrites,
  readEntries,
  writesOf,
} from './change.ts';
import type { ListEntry, Listed, RecordIndex } from './entry.ts';
import { listedOf } from './listed.ts';

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
  await table.transact([entryWrite({ before: begun, after, ends: next.lists.length === 0 })]);
}

/** In one transaction, or announced first, so that whoever comes after an interruption knows what may be written. */
async function applyChange(table: Table, change: EntryChange): Promise<void> {
  const writes = writesOf(change);
  if (writes.length < TRANSACTION_LIMIT) return table.transact([entryWrite(change), ...writes]);
  const { before, after } = change;
  const begun: ListEntry = { ...after, listed: before?.listed ?? nowhere, next: after.listed };
  await table.put(begun, asBefore(before));
  await finish(table, begun, after.listed);
}

/** Idempotent. `index` is undefined for a family without lists. */
export function indexRecord(table: Table, index: RecordIndex | undefined, ref: RecordRef): Promise<void> {
  if (!index) return Promise.resolve();
  return retryOnConflict(async () => {
    // The record is read after its entries: when it changes meanwhile, the entries will have changed too.
    const entries = await readEntries(table, ref);
    const record = await table.get<GuardedItem>(keys.record(ref.type, ref.id));
    const open = entries.filter(({ next }) => next);
    for (const entry of open) await finish(table, entry, entry.next as Listed);
    const current = open.length > 0 ? await readEntries(table, ref) : entries;
    const wanted = await listedOf(table, index, record);
    for (const change of changesBetween(ref, current, wanted)) await applyChange(table, change);
  });
}
