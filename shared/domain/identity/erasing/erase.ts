import type { Account } from '#shared/domain/identity/accounts/account.ts';
import { freeJob, holdJob } from '#shared/domain/platform/jobs/hold.ts';
import { ifOvertaken, unlessOvertaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { getLogger } from '#shared/log.ts';
import { queues } from '#shared/queues/queues.ts';
import { type Key, keyOf, keys } from '#shared/table/keys.ts';
import { scanPage } from '#shared/table/scan.ts';
import { present, type Update } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { type Erasing, erasePage } from './items.ts';
import type { ErasingJob, Progress } from './job.ts';
import { eraseLast } from './last.ts';
import { ownedBy } from './members.ts';
import { type Erasable, type Owned, readAttributes } from './partitions.ts';
import { eraseWork } from './work.ts';

/**
 * Erases closed accounts (docs/decisions/0069-closing-accounts.md): reads the table again and again until nothing of them is
 * found, then erases what they were found by. It may end anywhere, and goes on from the last page.
 */

const PAGE = 1_000;
/** Milliseconds; longer than a worker lives. */
const HOLD = (queues['erase-accounts'].timeout + 30) * 1_000;
/** Milliseconds without progress after which the sweep sends the job again. */
const RESEND_AFTER = 30 * 60_000;

/** From now on nobody opens it again. Undefined for one that is open, or erased already. */
function claim({ table }: Erasing, id: string): Promise<Account | undefined> {
  return tryUpdate<Account>(table, keys.account(id), {
    set: { erasing: true },
    when: { PK: present, status: 'closed' },
  });
}

async function claimAll(ctx: Erasing, { account_ids }: ErasingJob): Promise<Account[]> {
  const claimed: Account[] = [];
  for (const id of account_ids) {
    const account = await claim(ctx, id);
    if (account) claimed.push(account);
  }
  return claimed;
}

/** The sweep leaves a job alone that moves. */
function recordProgress(ctx: Erasing, { PK, SK, held_until }: ErasingJob, progress: Progress) {
  const due = ctx.clock().getTime() + RESEND_AFTER;
  const change: Update<ErasingJob> = {
    set: { ...progress, sends: 1, due },
    ...(progress.after ? {} : { remove: ['after'] }),
    when: { held_until: held_until as number },
  };
  return unlessOvertaken(ctx.table.update<ErasingJob>({ PK, SK }, change));
}

/** One page further. A reading that found nothing is the last. */
async function erasePageOf(
  ctx: Erasing,
  owned: Owned,
  { pass, after, ...job }: ErasingJob,
): Promise<Progress> {
  const work = after ? 0 : await eraseWork(ctx.table, owned);
  const page = await scanPage<Erasable>(ctx.table, { after, limit: PAGE, attributes: readAttributes });
  const count = work + (await erasePage(ctx, owned, page.items));
  const [found, erased] = [job.found + count, job.erased + count];
  if (page.last) return { pass, found, erased, after: keyOf(page.last as Key) };
  return found === 0 ? { pass, found, erased, clean: true } : { pass: pass + 1, found: 0, erased };
}

/** False when the time was up before all items of the accounts were erased. */
async function eraseItems(
  ctx: Erasing,
  accounts: Account[],
  held: ErasingJob,
  timeIsUp: () => boolean,
): Promise<boolean> {
  const ids = accounts.map(({ id }) => id);
  const owned = held.clean ? new Set<string>() : await ownedBy(ctx.table, ids);
  for (let job = held; !job.clean; job = await recordProgress(ctx, job, await erasePageOf(ctx, owned, job)))
    if (timeIsUp()) return false;
  return true;
}

async function finish(ctx: Erasing, accounts: Account[], timeIsUp: () => boolean): Promise<boolean> {
  for (const account of accounts) {
    if (!(await ctx.ports.objects.eraseAccount(ctx, account.id, timeIsUp))) return false;
    if (!(await eraseLast(ctx.table, account, ctx.clock(), timeIsUp))) return false;
    getLogger().info('account erased', { account_id: account.id });
  }
  return true;
}

async function work(ctx: Erasing, job: ErasingJob, timeIsUp: () => boolean): Promise<'done' | 'more'> {
  const accounts = await claimAll(ctx, job);
  if (accounts.length > 0) {
    if (!(await eraseItems(ctx, accounts, job, timeIsUp))) return 'more';
    if (!(await finish(ctx, accounts, timeIsUp))) return 'more';
  }
  await ctx.table.delete(keys.job(job.id));
  return 'done';
}

/** `more` when the time was up: another message of the job continues. */
export async function eraseAccounts(
  ctx: Erasing,
  job_id: string,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const job = await holdJob<ErasingJob>(ctx.table, job_id, { now: ctx.now, milliseconds: HOLD });
  if (!job) return 'done';
  try {
    return await ifOvertaken('done' as const, () => work(ctx, job, timeIsUp));
  } finally {
    await freeJob(ctx.table, job);
  }
}
