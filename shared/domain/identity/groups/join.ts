import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import { type Change, commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { type KeepsLists, listJobs, resumeLists } from '#shared/domain/platform/lists/keeper.ts';
import { invalidField } from '#shared/errors.ts';
import { idFrom, newId } from '#shared/ids.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { at, below, both, missing, sized, type Update, update } from '#shared/table/table.ts';
import { type Group, MAX_MEMBERS, type MembershipRecord } from './group.ts';
import { userWrite } from './members.ts';
import { requireGroup, requireManager } from './policy.ts';

function joining(group: Group, user_id: string, member: Group['members'][string], now: Date): Update<Group> {
  return {
    set: { members: at(user_id, member), updated_at: nextMoment(group, now) },
    add: { version: 1 },
    when: { version: group.version, members: both(at(user_id, missing), sized(below(MAX_MEMBERS))) },
  };
}

/** 400 for a group with the maximum number of users. */
function requireRoom({ members }: Group, field: string): void {
  if (Object.keys(members).length >= MAX_MEMBERS)
    throw invalidField(field, 'invalid', `cannot be added: a group has at most ${MAX_MEMBERS} users`);
}

/** The writes by which a new user, who is in none yet, is in these groups, and their jobs. 404 for an unknown group. */
export async function joiningAll(
  ctx: CallerContext<KeepsLists>,
  group_ids: string[],
  user_id: string,
): Promise<Change> {
  const groups = await Promise.all(group_ids.map((id) => requireGroup(ctx, id)));
  return together(
    ...groups.map((group): Change => {
      requireRoom(group, 'group_ids');
      const { account_id, id: group_id } = group;
      const member = { id: newId(ctx.now), created_at: ctx.now.toISOString() };
      return {
        writes: [update(keys.group(account_id, group_id), joining(group, user_id, member, ctx.now))],
        jobs: listJobs(ctx, { account_id, group_id, user_ids: [user_id] }, causeOf(member)),
      };
    }),
  );
}

/** The cause of the list jobs of a new member: a repeated request sends the remaining jobs again. */
const causeOf = ({ id }: Group['members'][string]) => idFrom('reindexing of membership', id);

/** Returns an existing membership unchanged. 404 when group or user are not of the account. */
export function joinGroup(
  ctx: CallerContext<KeepsLists>,
  group_id: string,
  user_id: string,
): Promise<MembershipRecord> {
  return retryOnConflict(async () => {
    const [group] = await Promise.all([
      requireGroup(ctx, group_id),
      requireUsers(ctx.table, ctx.caller.account.id, [user_id]),
    ]);
    requireManager(ctx.caller, group);
    const existing = group.members[user_id];
    if (existing) {
      await resumeLists(ctx, causeOf(existing));
      return { ...existing, group_id, user_id };
    }
    requireRoom(group, 'user_id');
    const member = { id: newId(ctx.now), created_at: ctx.now.toISOString() };
    const change = { account_id: group.account_id, group_id, user_ids: [user_id] };
    await commit(ctx, {
      writes: [
        update(keys.group(group.account_id, group_id), joining(group, user_id, member, ctx.now)),
        userWrite(group.account_id, user_id, 'add', group_id),
      ],
      jobs: listJobs(ctx, change, causeOf(member)),
    });
    return { ...member, group_id, user_id };
  });
}
