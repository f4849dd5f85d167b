import type { Passing } from '#shared/domain/collaboration/records/came-by.ts';
import type { RecordRef } from '#shared/domain/collaboration/records/kind.ts';
import { isResting, isThere, type RecordItem } from '#shared/domain/collaboration/records/live.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { mayRest } from './rest.ts';

/** Merges that an id may follow. */
const MAX_MERGES = 10;

/** What a merged record became part of, and the way there. */
export interface Inheritance {
  from: Passing;
  into: RecordRef;
  /** What `into` lost by a deletion is coming back. */
  restoring: boolean;
}

/** Undefined when the record that survived is gone for ever; `rests` when it may come back. */
export async function inheritanceOf(
  table: Table,
  { type, id }: RecordRef,
  { merged_into, returnable }: RecordItem,
): Promise<Inheritance | 'rests' | undefined> {
  const by = [id];
  let current = merged_into;
  for (let step = 0; current !== undefined && step < MAX_MERGES; step++) {
    const item = await table.get<RecordItem>(keys.record(type, current));
    if (isResting(item) && mayRest({ type })) return 'rests';
    if (!isThere(item)) return undefined;
    if (item.merged_into === undefined)
      return {
        from: { type, id, ...(returnable ? { by } : {}) },
        into: { type, id: current },
        restoring: item.restoring === true,
      };
    by.push(current);
    current = item.merged_into;
  }
  return undefined;
}
