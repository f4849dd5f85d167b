import { audit } from '#shared/domain/identity/audit/audit.ts';
import { closingJob } from '#shared/domain/identity/billing/job.ts';
import { type ReadsBilling, readBilling } from '#shared/domain/identity/billing/port.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { begin } from '#shared/domain/platform/jobs/commit.ts';
import { enqueue, type Job } from '#shared/domain/platform/jobs/job.ts';
import { requireVersion } from '#shared/domain/platform/versions/version.ts';
import { ApiError } from '#shared/errors.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { ConditionFailed, update, type Write } from '#shared/table/table.ts';
import type { Account } from './account.ts';
import { type ClosedAccount, closedKey, eraseMoment } from './closed.ts';
import { stillOwner } from './policy.ts';

type Ctx = CallerContext<ReadsBilling>;

/** As for a request that came a moment later. */
const gone = () => new ApiError('unauthorized', { message: 'The account is closed.' });

function closingWrites({ caller, ...ctx }: Ctx, before: Account, closed_at: string): Write[] {
  const { id, name, billing_reference } = before;
  const after = { ...before, closed_at };
  const waiting: ClosedAccount = {
    ...closedKey(after),
    account_id: id,
    closed_at,
    erase_at: eraseMoment(closed_at),
    ...(billing_reference ? { paying: true } : {}),
  };
  return [
    update<Account>(keys.account(id), {
      set: { status: 'closed', closed_at, updated_at: closed_at },
      when: { status: 'active', updated_at: before.updated_at },
    }),
    stillOwner(caller),
    { put: waiting },
    audit({ ...ctx, caller }, id, { action: 'account_closed', subject: { type: 'account', id, name } }),
  ];
}

/** Whether the table has it, although a call failed. */
async function wasClosed({ table }: Ctx, id: string, closed_at: string): Promise<boolean> {
  const found = await table.get<Account>(keys.account(id)).catch(() => undefined);
  return found?.status === 'closed' && found.closed_at === closed_at;
}

/** Returns the jobs that the closing makes necessary. */
function markClosed(ctx: Ctx): Promise<Job[]> {
  const { id } = ctx.caller.account;
  return retryOnConflict(async () => {
    const before = await ctx.table.get<Account>(keys.account(id));
    if (before?.status !== 'active') throw gone();
    requireVersion(ctx, id, before);
    const closed_at = nextMoment(before, ctx.now);
    const jobs = before.billing_reference ? [closingJob(before, ctx.now)] : [];
    try {
      await ctx.table.transact([...closingWrites(ctx, before, closed_at), ...jobs.map(enqueue)]);
    } catch (error) {
      // Another request may have closed it at the same moment.
      if (error instanceof ApiError || error instanceof ConditionFailed) throw error;
      if (await wasClosed(ctx, id, closed_at)) return jobs;
      throw new ApiError('could_not_mark_as_closed', { cause: error });
    }
    return jobs;
  });
}

/**
 * Closes the account, for who passes `requireAccountOwner`. It counts from the next request on, as every request reads its
 * account. Who takes the money is asked before, and told by a job of the same transaction: so no account is closed while
 * nobody answers, and none that is open is cancelled. 502 `billing_unavailable` and `could_not_mark_as_closed` change nothing.
 */
export async function closeAccount(ctx: Ctx): Promise<void> {
  await readBilling(ctx, ctx.caller.account);
  await begin(ctx, await markClosed(ctx));
}
