import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Group } from '#shared/domain/identity/groups/group.ts';
import { requireGroup } from '#shared/domain/identity/groups/policy.ts';
import { requireActiveUser } from '#shared/domain/identity/users/policy.ts';
import { invalidField } from '#shared/errors.ts';
import { keyOf } from '#shared/table/keys.ts';
import { type Write, when } from '#shared/table/table.ts';
import type { ShareDraft, StoredShare } from './share.ts';

/** The user or group that a record is shared with. */
export type Target = Pick<StoredShare, 'user_id' | 'group_id'>;

export const targetId = ({ user_id, group_id }: Target) => (user_id ?? group_id) as string;

/** 400 for a user and a group, or neither. */
export function readTarget({ user_id, group_id }: ShareDraft): Target {
  if (user_id !== undefined && group_id !== undefined)
    throw invalidField('group_id', 'invalid', 'cannot be given with a user_id');
  if (user_id === undefined && group_id === undefined)
    throw invalidField('user_id', 'required', 'is required, unless a group_id is given');
  return { user_id: user_id ?? null, group_id: group_id ?? null };
}

/** The users behind a target. */
export interface Behind {
  user_ids: string[];
  /** Fails when others are behind it by now, or its group is gone. */
  unchanged: Write[];
}

export const onlyUser = (id: string): Behind => ({ user_ids: [id], unchanged: [] });

const membersOf = (group: Group): Behind => ({
  user_ids: Object.keys(group.members),
  unchanged: [{ check: keyOf(group), when: when<Group>({ version: group.version }) }],
});

/** 404 when it is not an active user or a group of the account, 400 for oneself. */
export async function requireTarget(ctx: CallerContext, target: Target): Promise<Behind> {
  const { user_id, group_id } = target;
  if (user_id === ctx.caller.user.id) throw invalidField('user_id', 'invalid', 'is yourself');
  if (group_id !== null) return membersOf(await requireGroup(ctx, group_id));
  return onlyUser((await requireActiveUser(ctx.table, ctx.caller.account.id, user_id as string)).id);
}

/** Of a share that exists; nobody when the group is gone. */
export async function usersBehind(ctx: CallerContext, share: StoredShare): Promise<Behind> {
  if (share.user_id !== null) return onlyUser(share.user_id);
  const group = await requireGroup(ctx, share.group_id as string).catch(() => undefined);
  return group ? membersOf(group) : { user_ids: [], unchanged: [] };
}
