import type { Context } from '#shared/context.ts';
import type { ClosedAccount } from '#shared/domain/identity/accounts/closed.ts';
import { dispatch, type Job, newJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { ConditionFailed, missing, mustNotExist } from '#shared/table/table.ts';

/** How far the erasing has come. */
export interface Progress {
  /** Readings of the table, from 1; the last one finds nothing. */
  pass: number;
  /** Where this one goes on; missing at its beginning. */
  after?: Key;
  /** Items that this one erased. */
  found: number;
  /** Items that all of them erased. */
  erased: number;
  /** Nothing is left but what all else was found by. */
  clean?: true;
}

/** All accounts that are due are erased together, because the table is read for it. */
export type ErasingJob = Job & Progress & { account_ids: string[] };

/** There is one at a time. */
export const ERASING = idFrom('erase-accounts');

/** The list of a job has 40 kB then. */
const MOST = 1_000;

async function findDue({ table, now }: Context): Promise<string[]> {
  const { items } = await table.query<ClosedAccount>({
    partition: keys.closedAccount(0, '').PK,
    // "~" sorts after every account.
    sort: { from: 'AT#', to: keys.closedAccount(now.getTime(), '~').SK },
    filter: { paying: missing },
    limit: MOST,
  });
  return items.map(({ account_id }) => account_id);
}

/** Starts to erase the accounts whose time has come, unless others are being erased; these follow then. */
export async function beginErasing(ctx: Context): Promise<void> {
  const account_ids = await findDue(ctx);
  if (account_ids.length === 0 || (await ctx.table.get(keys.job(ERASING)))) return;
  const progress: Progress = { pass: 1, found: 0, erased: 0 };
  const job = { ...newJob('erase-accounts', {}, ctx.now, ERASING), ...progress, account_ids };
  try {
    await ctx.table.put({ ...job }, mustNotExist);
  } catch (error) {
    // Another run of the schedule was faster.
    if (error instanceof ConditionFailed) return;
    throw error;
  }
  await dispatch(ctx, job);
}
