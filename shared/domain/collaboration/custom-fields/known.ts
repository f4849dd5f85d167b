import type { Granted } from '#shared/domain/collaboration/record-lists/granted.ts';
import { Remembered } from '#shared/domain/collaboration/record-lists/remembered.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { CustomField, DefinedType } from './custom-field.ts';
import { readFields } from './store.ts';

/** Of accounts and types; the definitions of one have some kB. */
const known = new Remembered<CustomField[]>(100);

/** The definitions of a record type: those of an earlier request are taken for granted. */
export function fieldsBeside(
  { table, caller: { account } }: CallerContext,
  type: DefinedType,
  granted: Granted | undefined,
): Promise<CustomField[]> {
  const read = () => readFields(table, account.id, type);
  return granted ? granted.known(known, `${account.id} fields of ${type}`, read) : read();
}
