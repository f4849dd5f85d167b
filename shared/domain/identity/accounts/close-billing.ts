import type { Context } from '#shared/context.ts';
import type { BillsAccounts } from '#shared/domain/identity/billing/port.ts';
import { complete } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { present, update, type Write } from '#shared/table/table.ts';
import type { Account } from './account.ts';
import { type ClosedAccount, closedKey, type PaidAccount } from './closed.ts';

/** Lets the account be erased, once its time has come. */
const paidNoMore = (account: Account): Write =>
  update<ClosedAccount>(closedKey(account), { remove: ['paying'], when: { PK: present } });

/** Tells who takes the money that the account is closed, any number of times. An account that is open again goes on paying. */
export async function closeBilling(
  ctx: Context<BillsAccounts>,
  job_id: string,
  { account_id }: PaidAccount,
): Promise<void> {
  await retryOnConflict(async () => {
    const account = await ctx.table.get<Account>(keys.account(account_id));
    const closed = account?.status === 'closed';
    if (closed) await ctx.ports.billing.close(ctx, account);
    await ctx.table.transact([...(closed ? [paidNoMore(account)] : []), complete(job_id)]);
  });
}
