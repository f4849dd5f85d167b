import type { Account } from '#shared/domain/identity/accounts/account.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { recordNotFound } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { mustExist } from '#shared/table/table.ts';
import { userChange } from './change.ts';
import { handOver } from './hand-over.ts';
import { requireChangeable, requireOwnerRight, requireSession } from './policy.ts';
import { roleMails } from './rights-mail.ts';
import { withOwnChanges } from './sent.ts';
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

/** Whoever was never in the account is invited again. */
function withRights(user: User, { role = user.role, status }: UserChanges): User {
  const there = status === 'active' && user.joining ? 'invited' : status;
  return { ...user, role, status: there ?? user.status };
}

const wantsMail = ({ notification_settings }: User) =>
  Object.values(notification_settings).some(({ email }) => email);

/** The account says it first, so no notification of a user who wants mail is overlooked. */
async function announceMail({ table }: CallerContext, account: Account, after: User): Promise<void> {
  if (account.has_notification_mail || !wantsMail(after)) return;
  const set = { has_notification_mail: true as const };
  await table.update<Account>(keys.account(account.id), { set, when: mustExist }, 'NONE');
}

/**
 * Fields that are not sent stay. 403 `api_key_insufficient` for a key that changes rights, `permission_denied` as in
 * `requireChangeable`; 422 `last_owner`.
 */
export async function updateUser(ctx: CallerContext, id: string, sent: UserChanges): Promise<User> {
  requireSession(ctx.caller, sent);
  const { role, status, ...own } = sent;
  return retryOnConflict(async () => {
    const { user: before, account } = await readWithAccount(ctx, id);
    requireChangeable(ctx.caller, before, sent);
    requireVersion(ctx, id, before);
    const after = withRights(withOwnChanges(before, own), { role, status });
    requireOwnerRight(ctx.caller, before, after);
    const { writes, user } = userChange(ctx, account, before, after);
    await announceMail(ctx, account, after);
    const left = before.status !== 'deactivated' && user.status === 'deactivated';
    const given = left ? [handOver(user, null, ctx.now)] : [];
    await commit(ctx, { writes, jobs: [...given, ...roleMails(ctx, account, before, user)] });
    return user;
  });
}
