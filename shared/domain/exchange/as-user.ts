import { asOfNow, type Context } from '#shared/context.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';

/** The context of the user who exchanges records; undefined when the user, or the account, is no longer active. */
export async function asUser<Ports extends object>(
  ctx: Context<Ports>,
  of: { account_id: string; user_id: string },
): Promise<CallerContext<Ports> | undefined> {
  const caller = await callerFor(ctx.table, of);
  return caller && { ...asOfNow(ctx), caller };
}
