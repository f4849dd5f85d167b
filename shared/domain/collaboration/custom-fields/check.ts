import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { CustomField, DefinedType } from './custom-field.ts';
import { readFields } from './store.ts';
import { requireDefined } from './values.ts';

interface HasCustomFields {
  custom_fields: string;
}

/** The definitions by which values are checked. Reads nothing while the account has none. */
export const fieldsToCheck = async (
  { table, caller: { account } }: CallerContext,
  type: DefinedType,
): Promise<CustomField[]> => (account.has_custom_fields ? readFields(table, account.id, type) : []);

/** The record, if its custom fields are as defined; 400 for the others. */
export function checkedBy<R extends HasCustomFields>(
  fields: CustomField[],
  before: R | undefined,
  after: R,
): R {
  if (fields.length > 0 && before?.custom_fields !== after.custom_fields)
    requireDefined(fields, before && JSON.parse(before.custom_fields), JSON.parse(after.custom_fields));
  return after;
}
