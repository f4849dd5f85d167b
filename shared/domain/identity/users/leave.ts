import { seatJobs } from '#shared/domain/identity/billing/job.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { invalidField } from '#shared/errors.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { userChange } from './change.ts';
import { handOver } from './hand-over.ts';
import { invitationWrites } from './invitations.ts';
import { requireActiveUser, requireAdmin, requireOwner } from './policy.ts';
import { readWithAccount } from './update.ts';

/** 400 for the user who leaves, 404 for anybody who is not an active user of the account. */
async function requireHeir(ctx: CallerContext, id: string, replacement: string | null): Promise<void> {
  if (replacement === null) return;
  if (replacement === id) throw invalidField('replacement_user_id', 'invalid', 'is the user who leaves');
  await requireActiveUser(ctx.table, ctx.caller.account.id, replacement);
}

/**
 * Deactivates a user: keys and sessions end at once, a job gives what the user owned to the replacement, or to the owner of
 * the account. Again for a user who left before, it gives what is left. 403 for everyone except admins, and except owners
 * for an owner; 422 `last_owner`.
 */
export async function deactivateUser(
  ctx: CallerContext,
  id: string,
  replacement: string | null,
): Promise<void> {
  await retryOnConflict(async () => {
    const { user: before, account } = await readWithAccount(ctx, id);
    requireAdmin(ctx.caller);
    // Also when there is nothing to change: who takes over reads the mailboxes.
    if (before.role === 'owner') requireOwner(ctx.caller);
    await requireHeir(ctx, id, replacement);
    requireVersion(ctx, id, before);
    const after = { ...before, status: 'deactivated' as const, heir_id: replacement };
    const { writes, user } = userChange(ctx, account, before, after);
    const invitation = await invitationWrites(ctx.table, before, user);
    const seats = seatJobs(account, before, user, ctx.now);
    await commit(ctx, {
      writes: [...writes, ...invitation],
      jobs: [handOver(user, replacement, ctx.now), ...seats],
    });
  });
}
