import { begun } from '#shared/begun.ts';
import { timeZoneOf } from '#shared/domain/identity/accounts/account.ts';
import { audit } from '#shared/domain/identity/audit/audit.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { joiningAll } from '#shared/domain/identity/groups/join.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { requireOutgoingMail } from '#shared/domain/platform/outgoing-mail/available.ts';
import { mailJob } from '#shared/domain/platform/outgoing-mail/job.ts';
import { newId } from '#shared/ids.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustNotExist } from '#shared/table/table.ts';
import { nameIn, newUser, partsOfName } from './create.ts';
import { invitationMail } from './invitation-mail.ts';
import { openInvitation } from './invitations.ts';
import { limitInviting } from './inviting.ts';
import { requireAdmin, requireOwner } from './policy.ts';
import type { Invitation, User } from './user.ts';

function invitedUser({ caller: { account }, now }: CallerContext, draft: Invitation): User {
  const { email_address, name = nameIn(email_address), role, group_ids } = draft;
  const described = { ...partsOfName(name), email_address, role, week_starts_on: 'monday' as const };
  const user = newUser(
    { ...described, id: newId(now), account_id: account.id, time_zone: timeZoneOf(account) },
    now,
  );
  const groups = group_ids.length > 0 ? { group_ids: new Set(group_ids) } : {};
  return { ...user, ...groups, status: 'invited', joining: true };
}

/**
 * A user who joins by signing in for the first time; the invitation is mailed. 403 for everyone except admins, and except
 * owners for an owner; 404 for an unknown group; 409 `email_address_in_use`; 422 `mail_unavailable`; 429 for many in an hour.
 */
export async function inviteUser(ctx: CallerContext<KeepsLists>, draft: Invitation): Promise<User> {
  requireAdmin(ctx.caller);
  if (draft.role === 'owner') requireOwner(ctx.caller);
  requireOutgoingMail(ctx.config);
  const user = invitedUser(ctx, { ...draft, group_ids: [...new Set(draft.group_ids)] });
  const { account_id, id, name } = user;
  const limited = begun(limitInviting(ctx));
  return retryOnConflict(async () => {
    const [groups, invitation] = await Promise.all([
      joiningAll(ctx, [...(user.group_ids ?? [])], id),
      openInvitation(ctx.table, user),
      limited,
    ]);
    const invited = { action: 'user_invited' as const, subject: { type: 'user' as const, id, name } };
    const writes = [{ put: user, when: mustNotExist }, ...invitation, audit(ctx, account_id, invited)];
    const mail = mailJob(
      invitationMail,
      { account_id, user_id: id, invited_by: ctx.caller.user.id },
      ctx.now,
    );
    await commit(ctx, together(writes, groups, { writes: [], jobs: [mail] }));
    return user;
  });
}
