import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { User } from '#shared/domain/identity/users/user.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { present } from '#shared/table/table.ts';
import { isConnected } from './read.ts';

/** Ends the first steps of the caller, once. 422 `mailbox_not_connected` before any mail. */
export async function completeFirstSteps(ctx: CallerContext): Promise<void> {
  const { account_id, id, initialized_at } = ctx.caller.user;
  if (initialized_at !== undefined) return;
  if (!(await isConnected(ctx))) throw new ApiError('mailbox_not_connected');
  await ctx.table.update<User>(
    keys.user(account_id, id),
    { set: { initialized_at: ctx.now.toISOString() }, when: { PK: present } },
    'NONE',
  );
}
