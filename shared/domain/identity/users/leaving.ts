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

/** One kind of what ends with the leaving, and does not return with the user. As `Passes`. */
export type Ends = (ctx: Context, from: User, timeIsUp: () => boolean) => Promise<boolean>;

export interface HandsOver {
  ends: readonly Ends[];
  passes: readonly Passes<never>[];
}

/** Whoever was named may have left meanwhile: then the heir is the owner, of whom every account has one. */
async function peopleOf(
  ctx: Context,
  { account_id, user_id, to }: HandOver,
): Promise<{ from: User | undefined; heir: User | undefined }> {
  const account = await ctx.table.get<Account>(keys.account(account_id));
  const ids = [user_id, to ?? '', account?.owner_user_id ?? ''];
  const users = await findUsers(ctx.table, account_id, [...new Set(ids.filter((id) => id !== ''))]);
  const [from, named, owner] = ids.map((id) => users.find((user) => user.id === id));
  return { from, heir: named?.status === 'active' ? named : owner };
}

/** None for a user who is back, who keeps what is left. */
function passesOf(ctx: Context<HandsOver>, from: User, heir: User | undefined, timeIsUp: () => boolean) {
  if (from.status !== 'deactivated' || !heir || heir.id === from.id) return [];
  const passes = ctx.ports.passes as readonly Passes<object>[];
  return passes.map((pass) => () => pass(ctx, { from, to: heir }, timeIsUp));
}

/** Works on the job until it is complete or the time is up; then another message continues. */
export async function handOverAll(
  ctx: Context<HandsOver>,
  job_id: string,
  body: HandOver,
  timeIsUp: () => boolean,
): Promise<void> {
  const { from, heir } = await peopleOf(ctx, body);
  const steps = from
    ? [...ctx.ports.ends.map((end) => () => end(ctx, from, timeIsUp)), ...passesOf(ctx, from, heir, timeIsUp)]
    : [];
  for (const step of steps) if (!(await step())) return dispatchAgain(ctx, job_id);
  await ctx.table.transact([complete(job_id)]);
}
