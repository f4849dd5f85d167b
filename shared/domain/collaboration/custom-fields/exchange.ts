import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { Table, Write } from '#shared/table/table.ts';
import type { DefinedType } from './custom-field.ts';
import { readFields } from './store.ts';
import { type Holding, uniqueWrites } from './unique.ts';

/** What the change of a record means for the values of unique fields. */

/** A record without custom fields. */
const NONE = '{}';

interface Changed<R> {
  /** The record, and one that becomes part of it. */
  before: (R | undefined)[];
  /** Undefined when it is deleted. */
  after: R | undefined;
}

/** Whether the values stay where they are. */
function isSame(before: string[], after: string | undefined): boolean {
  const [only = NONE, ...others] = before;
  return others.every((each) => each === NONE) && only === (after ?? NONE);
}

export async function exchangeWrites<R extends GuardedItem>(
  table: Table,
  { type, custom_fields: textOf }: RecordIndex<R>,
  { before, after }: Changed<R>,
): Promise<Write[]> {
  const known = before.filter((record) => record !== undefined);
  const account_id = (after ?? known[0])?.account_id;
  if (!textOf || account_id === undefined || isSame(known.map(textOf), after && textOf(after))) return [];
  const fields = await readFields(table, account_id, type as DefinedType);
  const holding = (record: R): Holding => ({ id: record.id, values: JSON.parse(textOf(record)) });
  return uniqueWrites(table, type as DefinedType, fields, {
    account_id,
    before: known.map(holding),
    after: after && holding(after),
  });
}
