import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { requireUsers } from '#shared/domain/identity/users/policy.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
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
    if (Object.keys(group.members).length >= MAX_MEMBERS)
      throw invalidField('user_id', 'invalid', `cannot be added: a group has at most ${MAX_MEMBERS} users`);
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
