import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { present } from '#shared/table/table.ts';
import { connectionOf } from './read.ts';

/**
 * Ends the first steps of the caller, once. 422 `mailbox_not_connected` before any mail, `outbound_disabled` while no server
 * of the caller's mailboxes sends.
 */
export async function completeFirstSteps(ctx: CallerContext): Promise<void> {
  const { account_id, id, initialized_at } = ctx.caller.user;
  if (initialized_at !== undefined) return;
  const { connected, silent } = await connectionOf(ctx);
  if (!connected) throw new ApiError('mailbox_not_connected');
  if (silent) throw new ApiError('outbound_disabled');
  await ctx.table.update<User>(
    keys.user(account_id, id),
    { set: { initialized_at: ctx.now.toISOString() }, when: { PK: present } },
    'NONE',
  );
}
