import type { Context } from '#shared/context.ts';
import type { Caller } from '#shared/domain/identity/caller.ts';
import { addGroupAccess } from '#shared/domain/identity/users/access.ts';
import { newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustNotExist, type Write } from '#shared/table/table.ts';
import type { Group, GroupDraft } from './group.ts';
import { membersOf, userWrite } from './members.ts';
import { groupNames } from './store.ts';

export function newGroup(caller: Caller, draft: GroupDraft, now: Date): Group {
  const { user_ids, ...fields } = draft;
  const id = newId(now);
  return {
    ...keys.group(caller.account.id, id),
    id,
    account_id: caller.account.id,
    user_id: caller.user.id,
    ...fields,
    members: membersOf(user_ids, {}, now),
    version: 1,
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/**
 * 409 `group_name_taken` when another group has the name, 400 when the account has the maximum number of groups. `also`
 * is written in the same transaction.
 */
export async function insertGroup(ctx: Context, group: Group, also: Write[]): Promise<void> {
  await ctx.table.transact([
    groupNames.take(group.account_id, group.name, group.id),
    addGroupAccess(group.account_id, group.id),
    { put: group, when: mustNotExist },
    ...Object.keys(group.members).map((id) => userWrite(group.account_id, id, 'add', group.id)),
    ...also,
  ]);
}
