import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import {
  type CustomField,
  type CustomFieldRecord,
  type DefinedType,
  definedTypes,
  type FieldSet,
  presentCustomField,
} from './custom-field.ts';

/** The set of an account that has none of the type yet has version 0. */
export async function readFieldSet(table: Table, account_id: string, type: DefinedType): Promise<FieldSet> {
  const key = keys.customFields(account_id, type);
  return (await table.get<FieldSet>(key)) ?? { ...key, fields: [], version: 0 };
}

/** The definitions of a record type. */
export const readFields = async (
  table: Table,
  account_id: string,
  type: DefinedType,
): Promise<CustomField[]> => (await readFieldSet(table, account_id, type)).fields;

/** Of one record type, or of all, each in their order. */
export async function listCustomFields(
  { table, caller: { account } }: CallerContext,
  type?: DefinedType,
): Promise<CustomFieldRecord[]> {
  const types = type ? [type] : definedTypes;
  const sets = await Promise.all(types.map((each) => readFields(table, account.id, each)));
  return sets.flatMap((fields) => fields.map(presentCustomField));
}
