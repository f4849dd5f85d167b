import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { seatJobs } from '#shared/domain/identity/billing/job.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { recordNotFound } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import type { Write } from '#shared/table/table.ts';
import { replacedAvatar } from './avatar-removal.ts';
import { userChange } from './change.ts';
import { handOver } from './hand-over.ts';
import { requireChangeable, requireOwnerRight, requireSession } from './policy.ts';
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

/** The bytes of an upload as a picture, which the writes keep. */
export interface KeptAvatar {
  avatar_id: string;
  writes: Write[];
}

type Keeps = (ctx: CallerContext, upload_id: string) => Promise<KeptAvatar>;

/** `null` removes the picture. */
async function avatarSent(
  ctx: CallerContext,
  { avatar_upload_id }: UserChanges,
  keep: Keeps,
): Promise<{ avatar: Pick<User, 'avatar_id'>; writes: Write[] }> {
  if (avatar_upload_id === undefined) return { avatar: {}, writes: [] };
  if (avatar_upload_id === null) return { avatar: { avatar_id: null }, writes: [] };
  const { avatar_id, writes } = await keep(ctx, avatar_upload_id);
  return { avatar: { avatar_id }, writes };
}

/**
 * Fields that are not sent stay. 403 `api_key_insufficient` for a key that changes rights, `permission_denied` as in
 * `requireChangeable`; 422 `last_owner`.
 */
export async function updateUser(
  ctx: CallerContext,
  id: string,
  sent: UserChanges,
  keep: Keeps,
): Promise<User> {
  requireSession(ctx.caller, sent);
  const { role, status, avatar_upload_id: _, ...own } = sent;
  return retryOnConflict(async () => {
    const { user: before, account } = await readWithAccount(ctx, id);
    requireChangeable(ctx.caller, before, sent);
    requireVersion(ctx, id, before);
    const changed = withRights(withOwnChanges(before, own), { role, status });
    requireOwnerRight(ctx.caller, before, changed);
    const { avatar, writes: kept } = await avatarSent(ctx, sent, keep);
    const { writes, user } = userChange(ctx, account, before, { ...changed, ...avatar });
    const left = before.status !== 'deactivated' && user.status === 'deactivated';
    const jobs = [
      ...(left ? [handOver(user, null, ctx.now)] : []),
      ...replacedAvatar(before, user, ctx.now),
      ...seatJobs(account, before, user, ctx.now),
    ];
    await commit(ctx, { writes: [...writes, ...kept], jobs });
    return user;
  });
}
