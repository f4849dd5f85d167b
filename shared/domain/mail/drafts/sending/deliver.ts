import type { Context } from '#shared/context.ts';
import type { SeesRecords } from '#shared/domain/collaboration/records/kind.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { callerFor } from '#shared/domain/identity/users/caller-for.ts';
import { mailReading } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import type { ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { freeJob, holdJob } from '#shared/domain/platform/jobs/hold.ts';
import { complete, dispatch, type Job, renewJob } from '#shared/domain/platform/jobs/job.ts';
import { sealingKeys } from '#shared/domain/platform/secrets/sealing-keys.ts';
import { bucketOf } from '#shared/providers/files/bucket.ts';
import { queues } from '#shared/queues/queues.ts';
import { keys } from '#shared/table/keys.ts';
import { retryOnConflict } from '#shared/table/retry-on-conflict.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { lostAttachment } from '../attached.ts';
import type { Draft } from '../draft.ts';
import type { SendingBody } from '../due.ts';
import { findDraft, maySend } from '../policy.ts';
import { owedAnswer } from './answered.ts';
import { keepCopy } from './copy.ts';
import { cannotSend, unknownDelivery } from './failures.ts';
import { begin, fail, giveBack } from './transitions.ts';
import { transmit } from './transmit.ts';

/** Sends a draft once, whatever happens to its worker (docs/decisions/0074-sending-drafts.md). */

export type SendingContext = Context<ReachesMailServers & SeesRecords>;

/** Milliseconds; longer than a worker lives. */
const HOLD = 1.1 * queues['send-drafts'].timeout * 1_000;
/** Milliseconds that clocks may differ. */
const EARLY = 1_000;

async function done(ctx: SendingContext, job: Job): Promise<void> {
  await ctx.table.transact([complete(job.id)]);
}

/** Its message came too early: another one is sent. That is no failure, however often it happens. */
async function wait(ctx: SendingContext, job: Job, milliseconds: number): Promise<void> {
  const delay = Math.min(900, Math.ceil(milliseconds / 1_000));
  await freeJob(ctx.table, job);
  const renewed = await renewJob(ctx, job.id, delay);
  if (renewed) await dispatch(ctx, { ...renewed, delay });
}

/** What of the mailbox or the attachments is in the way; undefined when nothing is. */
async function obstacle(
  ctx: CallerContext<SeesRecords>,
  draft: Draft,
  mailbox: Mailbox | undefined,
): Promise<string | undefined> {
  if (!mailbox?.mail_server?.smtp) return 'The mailbox cannot send mail.';
  if (!maySend(ctx.caller.user, mailbox.id)) return 'You may no longer send from this mailbox.';
  if (mailbox.status === 'locked') return 'The mailbox is locked.';
  const lost = await lostAttachment(ctx, draft);
  return lost && `The file ${lost.file_name} is deleted, or you no longer see it. Detach it first.`;
}

/** The mailbox is read then, so that the mail is soon in its thread, and what it answered is marked there. */
async function keep(ctx: SendingContext, job: Job, draft: Draft, mailbox: Mailbox | undefined) {
  if (!mailbox) return done(ctx, job);
  if (mailbox.sending_error)
    await tryUpdate<Mailbox>(ctx.table, keys.mailbox(mailbox.account_id, mailbox.id), {
      remove: ['sending_error', 'sending_after'],
      when: { sending_error: mailbox.sending_error },
    });
  await keepCopy(ctx, () => bucketOf(ctx), draft, mailbox);
  const read = mailReading(mailbox, false, ctx.clock());
  const told = { writes: [], jobs: await owedAnswer(ctx, draft, mailbox) };
  await commit(ctx, together([complete(job.id)], read, told));
}

const mailboxOf = ({ table }: SendingContext, { account_id, mailbox_id }: Draft) =>
  table.get<Mailbox>(keys.mailbox(account_id, mailbox_id));

/** Milliseconds for which its server wants no mail of the mailbox. */
const pauseOf = ({ sending_after }: Mailbox, now: Date) =>
  sending_after === undefined ? 0 : Date.parse(sending_after) - now.getTime();

/** Without them nobody signs in: that is no attempt of the draft, which waits as long as it takes. */
async function requireKeys(ctx: SendingContext, job: Job): Promise<void> {
  try {
    await sealingKeys(ctx);
  } catch (error) {
    await renewJob(ctx, job.id);
    throw error;
  }
}

async function run(ctx: SendingContext, job: Job, draft: Draft): Promise<void> {
  const mailbox = await mailboxOf(ctx, draft);
  if (draft.status === 'sent') return keep(ctx, job, draft, mailbox);
  const caller = await callerFor(ctx.table, draft);
  if (!caller) return giveBack(ctx, draft, job);
  const own = { ...ctx, caller };
  if (!mailbox && draft.on_wire) return fail(own, draft, job.id, unknownDelivery, true);
  const hindered = draft.on_wire ? undefined : await obstacle(own, draft, mailbox);
  if (!mailbox || hindered) return fail(own, draft, job.id, cannotSend(hindered ?? '').failure);
  const pause = draft.on_wire ? 0 : pauseOf(mailbox, ctx.now);
  if (pause > 0) return wait(ctx, job, pause);
  await requireKeys(ctx, job);
  const begun = draft.on_wire ? draft : await begin(own, draft);
  const sent = await transmit(own, () => bucketOf(ctx), { draft: begun, mailbox, job });
  // A server takes its time, and the mailbox may be deleted meanwhile.
  if (sent) await keep(ctx, job, sent, await mailboxOf(ctx, sent));
}

/** Reads the draft again when it was changed meanwhile: of taking it back and sending it, one wins. */
async function work(ctx: SendingContext, job: Job, { user_id, draft_id }: SendingBody): Promise<void> {
  const draft = await findDraft(ctx.table, user_id, draft_id);
  const mine = draft?.sending_id === job.id && ['queued', 'sending', 'sent'].includes(draft.status);
  if (!draft || !mine) return done(ctx, job);
  const left = Date.parse(draft.send_at ?? '') - ctx.clock().getTime();
  if (draft.status === 'queued' && left > EARLY) return wait(ctx, job, left);
  await run({ ...ctx, now: ctx.clock() }, job, draft);
}

export async function sendQueued(ctx: SendingContext, body: SendingBody & { job_id: string }): Promise<void> {
  const job = await holdJob<Job>(ctx.table, body.job_id, { now: ctx.now, milliseconds: HOLD });
  if (!job) return;
  try {
    await retryOnConflict(() => work(ctx, job, body));
  } catch (error) {
    await freeJob(ctx.table, job);
    throw error;
  }
}
