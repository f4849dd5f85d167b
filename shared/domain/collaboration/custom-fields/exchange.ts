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
  /** The record, unless it is deleted, and one that was part of it. */
  after: (R | undefined)[];
}

/** Whether the values stay where they are. */
function isSame([was = NONE, ...parts]: string[], [is = NONE, ...apart]: string[]): boolean {
  return was === is && [...parts, ...apart].every((each) => each === NONE);
}

export async function exchangeWrites<R extends GuardedItem>(
  table: Table,
  { type, custom_fields: textOf }: RecordIndex<R>,
  { before, after }: Changed<R>,
): Promise<Write[]> {
  const [had, have] = [before, after].map((records) => records.filter((each) => each !== undefined)) as [
    R[],
    R[],
  ];
  const account_id = (have[0] ?? had[0])?.account_id;
  if (!textOf || account_id === undefined || isSame(had.map(textOf), have.map(textOf))) return [];
  const fields = await readFields(table, account_id, type as DefinedType);
  const holding = (record: R): Holding => ({ id: record.id, values: JSON.parse(textOf(record)) });
  return uniqueWrites(table, type as DefinedType, fields, {
    account_id,
    before: had.map(holding),
    after: have.map(holding),
  });
}
