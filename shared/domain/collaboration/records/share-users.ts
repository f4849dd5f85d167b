import type { Group } from '#shared/domain/identity/groups/group.ts';
import { keys } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** The users behind shares: directly, and as members of groups. */
export async function holdersOfShares(
  table: Table,
  account_id: string,
  shares: { user_id: string | null; group_id: string | null }[],
): Promise<string[]> {
  const group_ids = shares.flatMap(({ group_id }) => group_id ?? []);
  const groups = await table.getMany<Group>(group_ids.map((id) => keys.group(account_id, id)));
  return [
    ...shares.flatMap(({ user_id }) => user_id ?? []),
    ...groups.flatMap(({ members }) => Object.keys(members)),
  ];
}
