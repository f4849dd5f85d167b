import type { Criterion } from '#shared/domain/collaboration/record-lists/criteria.ts';
import type { RecordIndex } from '#shared/domain/collaboration/record-lists/entry.ts';
import { nameRank, numberRank } from '#shared/domain/collaboration/record-lists/ranks.ts';
import type { GuardedItem } from '#shared/domain/collaboration/records/policy.ts';
import type { Table } from '#shared/table/table.ts';
import type { CustomField, DefinedType } from './custom-field.ts';
import { readFields } from './store.ts';
import { nameOfValue, singleValues, type Values } from './values.ts';

/**
 * The lists of records by indexed fields (docs/decisions/0056): one for each value, in every order of the type, and one
 * order for each field in which records have a single value.
 */

/** A list is named by the id, so that a field which is defined again begins anew. */
const valueList = ({ id }: CustomField, value: unknown) => `field:${id}:${nameOfValue(value)}`;

export const orderOfField = ({ id }: CustomField) => `field:${id}`;

export const isSortable = ({ type }: CustomField) => type !== 'multi_select';

function rankIn(field: CustomField, values: Values): string | null {
  const [value] = singleValues(field, values);
  switch (field.type) {
    case 'number':
      return value === undefined ? null : numberRank(value as number);
    case 'boolean':
      return value === undefined ? null : value ? '1' : '0';
    default:
      return value === undefined ? null : nameRank(value as string);
  }
}

/** Sorting compares each record several times. */
const read = new WeakMap<object, Values>();

function valuesOf<R extends GuardedItem>({ custom_fields }: RecordIndex<R>, record: R): Values {
  const known = read.get(record);
  if (known) return known;
  const values = JSON.parse(custom_fields?.(record) ?? '{}') as Values;
  read.set(record, values);
  return values;
}

/** The index with the lists and orders of these fields. */
export function indexWith<R extends GuardedItem>(
  index: RecordIndex<R>,
  fields: CustomField[],
): RecordIndex<R> {
  const indexed = fields.filter((field) => field.indexed);
  if (indexed.length === 0) return index;
  const orders = indexed
    .filter(isSortable)
    .map((field) => [orderOfField(field), (record: R) => rankIn(field, valuesOf(index, record))] as const);
  const narrow = orders.map(([order]) => order);
  return {
    ...index,
    orders: { ...index.orders, ...Object.fromEntries(orders) },
    narrow,
    sparse: [...(index.sparse ?? []), ...narrow],
    lists: (record) => [
      ...index.lists(record),
      ...indexed.flatMap((field) =>
        singleValues(field, valuesOf(index, record)).map((value) => valueList(field, value)),
      ),
    ],
  };
}

/** The index of a type as an account has it. */
export async function definedIndex<R extends GuardedItem>(
  table: Table,
  index: RecordIndex<R>,
  account_id: string,
): Promise<RecordIndex<R>> {
  if (!index.custom_fields) return index;
  return indexWith(index, await readFields(table, account_id, index.type as DefinedType));
}

/** Records with any of the values. */
export function withValues<R extends GuardedItem>(
  index: RecordIndex<R>,
  field: CustomField,
  wanted: unknown[],
): Criterion<R> {
  return {
    lists: wanted.map((value) => valueList(field, value)),
    keeps: (record) => singleValues(field, valuesOf(index, record)).some((value) => wanted.includes(value)),
  };
}
