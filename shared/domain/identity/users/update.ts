import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { seatJobs } from '#shared/domain/identity/billing/job.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { recordNotFound } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { announceMail } from './announce-mail.ts';
import { replacedAvatar } from './avatar-removal.ts';
import { avatarSent, type KeepsAvatars } from './avatar-sent.ts';
import { userChange } from './change.ts';
import { handOver } from './hand-over.ts';
import { invitationWrites } from './invitations.ts';
import { requireChangeable, requireOwnerRight, requireSession } from './policy.ts';
import { roleMails } from './rights-mail.ts';
import { primaryIsThere, withOwnChanges } from './sent.ts';
import { findWithAccount } from './store.ts';
import type { User, UserChanges } from './user.ts';

/** 404 for a user of another account. */
export async function readWithAccount(
  { table, caller }: CallerContext,
  id: string,
): Promise<{ user: User; account: Account }> {
  const found = await findWithAccount(table, { account_id: caller.account.id, user_id: id });
  if (!found) throw recordNotFound();
  return found;
}

/** Whoever was never in the account is invited again. Who leaves so has no replacement, and who is back needs none. */
function withRights(user: User, { role = user.role, status }: UserChanges): User {
  const there = status === 'active' && user.joining ? 'invited' : status;
  const same = there === undefined || there === user.status;
  return { ...user, role, status: there ?? user.status, heir_id: same ? (user.heir_id ?? null) : null };
}

/** What follows from a change, besides it. */
function jobsOf(ctx: CallerContext, account: Account, before: User, after: User): Job[] {
  const left = before.status !== 'deactivated' && after.status === 'deactivated';
  return [
    ...(left ? [handOver(after, null, ctx.now)] : []),
    ...replacedAvatar(before, after, ctx.now),
    ...seatJobs(account, before, after, ctx.now),
    ...roleMails(ctx, account, before, after),
  ];
}

/**
 * Fields that are not sent stay. 403 `api_key_insufficient` for a key that changes rights, `permission_denied` as in
 * `requireChangeable`; 409 `email_address_in_use` for an invitation to an address that somebody has meanwhile; 422 `last_owner`.
 */
export async function updateUser(
  ctx: CallerContext,
  id: string,
  sent: UserChanges,
  keep: KeepsAvatars,
): Promise<User> {
  requireSession(ctx.caller, sent);
  const { role, status, avatar_upload_id: _, ...own } = sent;
  return retryOnConflict(async () => {
    const { user: before, account } = await readWithAccount(ctx, id);
    requireChangeable(ctx.caller, before, sent);
    const changed = withRights(withOwnChanges(before, own), { role, status });
    requireOwnerRight(ctx.caller, before, changed);
    requireVersion(ctx, id, before);
    const { avatar, writes: kept } = await avatarSent(ctx, sent, keep);
    const { writes, user } = userChange(ctx, account, before, { ...changed, ...avatar });
    const invitation = await invitationWrites(ctx.table, before, user);
    await announceMail(ctx, account, user);
    await commit(ctx, {
      writes: [...writes, ...invitation, ...kept, ...primaryIsThere(before, own)],
      jobs: jobsOf(ctx, account, before, user),
    });
    return user;
  });
}
