import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireUsers } from '#shared/domain/identity/users/store.ts';
import { enqueue } from '#shared/domain/platform/jobs/job.ts';
import { type KeepsLists, listJobs, resumeLists, updateLists } from '#shared/domain/platform/lists/keeper.ts';
import { ApiError, invalidField, recordNotFound } from '#shared/errors.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Update } from '#shared/table/table.ts';
import { type Group, MAX_MEMBERS, type MembershipRecord, mayManage } from './group.ts';
import { requireGroup, requireManager, userWrite } from './store.ts';

/** Who is in a group. The group's `members` and the user's `group_ids` change in one transaction. */

function joining(user_id: string, member: Group['members'][string], now: Date): Update {
  return {
    update: 'SET members.#user = :member, updated_at = :now ADD version :one',
    condition: 'attribute_exists(PK) AND attribute_not_exists(members.#user) AND size(members) < :most',
    names: { '#user': user_id },
    values: { ':member': member, ':now': now.toISOString(), ':one': 1, ':most': MAX_MEMBERS },
  };
}

function leaving(user_id: string, now: Date): Update {
  return {
    update: 'REMOVE members.#user SET updated_at = :now ADD version :one',
    condition: 'attribute_exists(members.#user)',
    names: { '#user': user_id },
    values: { ':now': now.toISOString(), ':one': 1 },
  };
}

/** Why the lists of a new member change: asking again sends what is left of their jobs again. */
const causeOf = ({ id }: Group['members'][string]) => idFrom('reindexing of membership', id);

/** The membership that is there already is given back unchanged. 404 when group or user are not of the account. */
export function joinGroup(
  ctx: CallerContext<KeepsLists>,
  group_id: string,
  user_id: string,
): Promise<MembershipRecord> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const [group] = await Promise.all([
      requireGroup(ctx, group_id),
      requireUsers(table, ctx.caller.account.id, [user_id]),
    ]);
    requireManager(ctx.caller, group);
    const existing = group.members[user_id];
    if (existing) {
      await resumeLists(ctx, causeOf(existing));
      return { ...existing, group_id, user_id };
    }
    if (Object.keys(group.members).length >= MAX_MEMBERS)
      throw invalidField('user_id', 'invalid', `cannot be added: a group has at most ${MAX_MEMBERS} users`);
    const member = { id: newId(ctx.now), created_at: ctx.now.toISOString() };
    const change = { account_id: group.account_id, group_id, user_ids: [user_id] };
    const jobs = listJobs(ctx, change, causeOf(member));
    await table.transact([
      { key: keys.group(group.account_id, group_id), update: joining(user_id, member, ctx.now) },
      userWrite(group.account_id, user_id, 'ADD', group_id),
      ...jobs.map(enqueue),
    ]);
    await updateLists(ctx, jobs);
    return { ...member, group_id, user_id };
  });
}

/** Everybody may leave; others are removed by who manages the group. 404 when the user is not in it. */
export function leaveGroup(ctx: CallerContext<KeepsLists>, group_id: string, user_id: string): Promise<void> {
  const { table } = ctx;
  return retryOnConflict(async () => {
    const group = await requireGroup(ctx, group_id);
    if (!Object.hasOwn(group.members, user_id)) throw recordNotFound();
    if (user_id !== ctx.caller.user.id && !mayManage(ctx.caller.user, group))
      throw new ApiError('permission_denied');
    const change = { account_id: group.account_id, group_id, user_ids: [user_id] };
    const jobs = listJobs(ctx, change);
    await table.transact([
      { key: keys.group(group.account_id, group_id), update: leaving(user_id, ctx.now) },
      userWrite(group.account_id, user_id, 'DELETE', group_id),
      ...jobs.map(enqueue),
    ]);
    await updateLists(ctx, jobs);
  });
}
