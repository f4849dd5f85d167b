import { UniqueNames } from '#shared/domain/platform/names/unique.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { byName, type Group } from './group.ts';

/** 409 `group_name_taken` when another group has the name. */
export const groupNames = new UniqueNames(
  keys.groupName,
  () =>
    new ApiError('group_name_taken', {
      fields: { name: { code: 'taken', message: 'is used by another group' } },
    }),
);

/** Every group of the account by name. */
export async function listGroups(table: Table, account_id: string): Promise<Group[]> {
  const { PK, SK } = keys.group(account_id, '');
  return (await table.all<Group>(PK, SK)).sort(byName);
}
