import {
  accessThrough,
  type GuardedItem,
  isCurrent,
  type SeesLink,
} from '#shared/domain/collaboration/records/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Order } from '#shared/domain/platform/postings/reader.ts';
import { keys } from '#shared/table/keys.ts';
import type { Criterion } from './criteria.ts';
import type { RecordIndex } from './entry.ts';

/** What a list is asked for, and the check of each record. */

export interface Query<R extends GuardedItem> {
  index: RecordIndex<R>;
  criteria: Criterion<R>[];
  /** For records with links. */
  seesLink?: SeesLink<R>;
  /** Begins to read what records show, before it is sure that they are of the page. */
  expect?: (records: R[]) => void;
  /** The name of the order, and its direction. Records without a value come last in both. */
  sort: string;
  order: Order;
}

/** The records with these ids as they are now, in the same order, if they match. */
export async function readMatching<R extends GuardedItem>(
  { table, caller }: CallerContext,
  { index, criteria, seesLink }: Pick<Query<R>, 'index' | 'criteria' | 'seesLink'>,
  ids: string[],
): Promise<R[]> {
  const stored = await table.getMany<R>(ids.map((id) => keys.record(index.type, id)));
  const records = (await index.whole?.(table, stored)) ?? stored;
  const byId = new Map(records.map((record) => [record.id, record]));
  const matching = ids
    .flatMap((id) => byId.get(id) ?? [])
    .filter((record) => isCurrent(record, caller) && criteria.every((criterion) => criterion.keeps(record)));
  const access = await Promise.all(matching.map((record) => accessThrough(record, caller.user, seesLink)));
  return matching.filter((_, i) => access[i] !== undefined);
}
