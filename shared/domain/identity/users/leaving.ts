import type { Context } from '#shared/context.ts';
import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { complete, dispatchAgain } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { HandOver } from './hand-over.ts';
import { findUsers } from './store.ts';
import type { User } from './user.ts';

/** Gives others what a user had who left the account (docs/decisions/0062-who-leaves.md). */

/** Who left, and who gets what. */
export interface Passing {
  from: User;
  to: User;
}

/** One kind of what users have. Idempotent: false when the time was up before all of it was given. */
export type Passes<Ports extends object> = (
  ctx: Context<Ports>,
  passing: Passing,
  timeIsUp: () => boolean,
) => Promise<boolean>;

export interface HandsOver {
  passes: readonly Passes<never>[];
}

/**
 * Undefined when the user is back, who keeps what is left. Whoever was named may have left meanwhile: then it is the
 * owner, of whom every account has one.
 */
async function passingOf(ctx: Context, { account_id, user_id, to }: HandOver): Promise<Passing | undefined> {
  const account = await ctx.table.get<Account>(keys.account(account_id));
  const ids = [user_id, to ?? '', account?.owner_user_id ?? ''];
  const users = await findUsers(ctx.table, account_id, [...new Set(ids.filter((id) => id !== ''))]);
  const [from, named, owner] = ids.map((id) => users.find((user) => user.id === id));
  const heir = named?.status === 'active' ? named : owner;
  return from?.status === 'deactivated' && heir && heir.id !== from.id ? { from, to: heir } : undefined;
}

/** Works on the job until it is complete or the time is up; then another message continues. */
export async function handOverAll(
  ctx: Context<HandsOver>,
  job_id: string,
  body: HandOver,
  timeIsUp: () => boolean,
): Promise<void> {
  const passing = await passingOf(ctx, body);
  for (const pass of passing ? ctx.ports.passes : [])
    if (!passing || !(await (pass as Passes<object>)(ctx, passing, timeIsUp)))
      return dispatchAgain(ctx, job_id);
  await ctx.table.transact([complete(job_id)]);
}
