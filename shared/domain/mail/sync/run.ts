import { asOfNow } from '#shared/context.ts';
import { isActive } from '#shared/domain/identity/accounts/closed.ts';
import { targetOf } from '#shared/domain/mail/arriving/target.ts';
import { creationOf, type Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { openStore } from '#shared/domain/mail/servers/open-store.ts';
import { membersOf } from '#shared/domain/mail/threads/members.ts';
import { endJob } from '#shared/domain/platform/jobs/end.ts';
import { freeJob, holdJob } from '#shared/domain/platform/jobs/hold.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { Overtaken } from '#shared/domain/platform/jobs/overtaken.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { queues } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';
import { SyncedDeliveries } from './deliveries.ts';
import { began, endOf, failureOf, type Outcome, paused } from './outcome.ts';
import { progressOf, storeProgress } from './progress-report.ts';
import { Reading } from './reading.ts';
import { removeOldReports } from './report.ts';
import { type Arrival, atServer, type SyncContext, type Syncing } from './syncing.ts';

/** Reads a mailbox: what is new at its server, older mail, and what is gone there. One worker at a time for each mailbox. */

/** Milliseconds; longer than a worker lives. */
const HOLD = 1.2 * queues['sync-mailboxes'].timeout * 1_000;
/** Milliseconds of one run, so that a big mailbox does not keep others waiting. */
const RUN_TIME = 240_000;

export interface SyncMail {
  job_id: string;
  account_id: string;
  mailbox_id: string;
}

async function followed(
  ctx: SyncContext,
  { account_id, mailbox_id }: SyncMail,
): Promise<Mailbox | undefined> {
  const [mailbox, active] = await Promise.all([
    ctx.table.get<Mailbox>(keys.mailbox(account_id, mailbox_id)),
    isActive(ctx.table, account_id),
  ]);
  return active && mailbox?.mail_server && mailbox.status !== 'locked' ? mailbox : undefined;
}

async function arrivalAt(ctx: SyncContext, mailbox: Mailbox): Promise<Arrival> {
  const members = await membersOf(ctx.table, mailbox.account_id);
  const creation = creationOf(mailbox);
  const finished = new SyncedDeliveries(ctx.table, creation);
  const target = targetOf(ctx, members, mailbox, { creation, finished });
  const readers = members.users.filter((user) => Object.hasOwn(user.mailboxes, mailbox.id)).length;
  return { target, readers };
}

function syncingOf(
  ctx: SyncContext,
  mailbox: Mailbox,
  { store, timeIsUp }: Pick<Syncing, 'store' | 'timeIsUp'>,
): Syncing {
  let found: Promise<Arrival> | undefined;
  const arrival = () => {
    found ??= arrivalAt(ctx, mailbox);
    return found;
  };
  const isOver = () => timeIsUp() || ctx.clock().getTime() - ctx.now.getTime() > RUN_TIME;
  return { ctx, mailbox, store, arrival, started: ctx.now, timeIsUp: isOver };
}

interface Ran extends Outcome {
  state: 'done' | 'more';
}

async function read(ctx: SyncContext, mailbox: Mailbox, timeIsUp: () => boolean): Promise<Ran> {
  // The session ends with the worker.
  const signal = AbortSignal.timeout(queues['sync-mailboxes'].timeout * 1_000);
  const store = await atServer(openStore(ctx, mailbox, signal));
  try {
    const sync = syncingOf(ctx, mailbox, { store, timeIsUp });
    const reading = new Reading(sync);
    const isDone = await reading.run();
    const report = await storeProgress(ctx, mailbox, reading);
    const progress = { ...progressOf(reading), ...(report ? { report } : {}) };
    const { failure, isWhole: whole } = reading;
    return { state: isDone ? 'done' : 'more', failure, progress, whole };
  } finally {
    await store.close().catch(() => undefined);
  }
}

/** Of the mailbox as it is by now, if it is still at the server that was read. */
async function current({ table }: SyncContext, mailbox: Mailbox): Promise<Mailbox> {
  const found = await table.get<Mailbox>(keys.mailbox(mailbox.account_id, mailbox.id));
  return { ...(found ?? mailbox), mail_server: mailbox.mail_server } as Mailbox;
}

async function end(running: SyncContext, mailbox: Mailbox, job: Job, outcome: Outcome): Promise<void> {
  const ctx = asOfNow(running);
  await endJob(ctx, job, await endOf(ctx, await current(ctx, mailbox), outcome));
  const report = outcome.progress?.report;
  if (report && report.id !== mailbox.mail_state?.report?.id)
    await removeOldReports(ctx.table, mailbox.id, report.id);
}

async function run(ctx: SyncContext, mailbox: Mailbox, job: Job, timeIsUp: () => boolean) {
  const ran = await read(ctx, mailbox, timeIsUp);
  if (ran.state === 'done') {
    await end(ctx, mailbox, job, ran);
    return 'done';
  }
  await paused(ctx.table, await current(ctx, mailbox), ran);
  await freeJob(ctx.table, job);
  return 'more';
}

/** `more` when the time was up: another message continues. */
export async function syncMailbox(
  ctx: SyncContext,
  body: SyncMail,
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const job = await holdJob<Job>(ctx.table, body.job_id, { now: ctx.now, milliseconds: HOLD });
  if (!job) return 'done';
  let mailbox: Mailbox | undefined;
  try {
    const found = await followed(ctx, body);
    mailbox = found && (await began(ctx.table, found, ctx.now));
    if (!mailbox) {
      await ctx.table.delete(keys.job(job.id));
      return 'done';
    }
    return await run(ctx, mailbox, job, timeIsUp);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || !mailbox) {
      await freeJob(ctx.table, job);
      // Another worker has the mailbox, and continues.
      if (error instanceof Overtaken) return 'done';
      throw error;
    }
    getLogger().warn('mailbox not read', { mailbox_id: mailbox.id, error: describeError(error) });
    await end(ctx, mailbox, job, { failure, error });
    return 'done';
  }
}
