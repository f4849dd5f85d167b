import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { DefinedType } from './custom-field.ts';
import { readFields } from './store.ts';
import { requireDefined } from './values.ts';

interface HasCustomFields {
  custom_fields: string;
}

/**
 * The record, if its custom fields are as the account defines them; 400 for the others. Reads nothing while the account
 * has no definitions.
 */
export async function checkedFields<R extends HasCustomFields>(
  { table, caller: { account } }: CallerContext,
  type: DefinedType,
  before: R | undefined,
  after: R,
): Promise<R> {
  if (!account.has_custom_fields || before?.custom_fields === after.custom_fields) return after;
  const fields = await readFields(table, account.id, type);
  requireDefined(fields, before && JSON.parse(before.custom_fields), JSON.parse(after.custom_fields));
  return after;
}
