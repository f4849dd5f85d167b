import { newNotification, notify } from '#shared/domain/collaboration/notifications/notification.ts';
import { sendingJobs } from '#shared/domain/collaboration/notifications/sending/job.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { commit } from '#shared/domain/platform/jobs/commit.ts';
import { complete, type Job } from '#shared/domain/platform/jobs/job.ts';
import { nextMoment } from '#shared/next-moment.ts';
import { keyOf, keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Draft, SendFailure } from '../draft.ts';
import type { PendingDraft } from '../pending.ts';
import { threadsOf } from '../store.ts';
import { asItWas, changedDraft, draftWrite } from '../writes.ts';

/** The states of a draft while it is sent, each in one transaction. */

type Ctx = CallerContext;

const DAY = 86_400;
/** Seconds. */
const KEPT = { sent: 30 * DAY, pending: 7 * DAY };

const epochAfter = (now: Date, seconds: number) => Math.floor(now.getTime() / 1_000) + seconds;

async function pendingOf(ctx: Ctx, draft: Draft): Promise<PendingDraft | undefined> {
  const { id: draft_id, user_id, account_id, kind, answered } = draft;
  const thread_id = (await threadsOf(ctx, [draft]))(draft);
  if (!answered || thread_id === null) return undefined;
  const { message_id, id_hash } = answered;
  return {
    ...keys.pendingDraft(user_id, draft_id),
    ...{ draft_id, account_id, kind, answered: { message_id, id_hash }, thread_id },
    expires_epoch: epochAfter(ctx.now, KEPT.pending),
  };
}

async function write(ctx: Ctx, before: Draft, after: Draft, also: Write[] = []): Promise<Draft> {
  const changed = changedDraft(before, after, ctx.now);
  await ctx.table.transact([draftWrite(before, changed), ...also]);
  return changed;
}

/** From here on nobody takes it back. */
export async function begin(ctx: Ctx, draft: Draft): Promise<Draft> {
  const pending = await pendingOf(ctx, draft);
  const after: Draft = {
    ...draft,
    status: 'sending',
    attempts: draft.attempts + 1,
    dated_at: draft.dated_at ?? ctx.now.toISOString(),
  };
  return write(ctx, draft, after, pending ? [{ put: pending }] : []);
}

/** Before the first byte: whoever finds this does not know whether the server has the mail. */
export const goOnWire = (ctx: Ctx, draft: Draft): Promise<Draft> =>
  write(ctx, draft, { ...draft, on_wire: true });

const offWire = ({ on_wire: _, ...draft }: Draft): Draft => draft;

/** Whether the server has it was not to be learned. */
export const lookAgain = (ctx: Ctx, draft: Draft): Promise<Draft> =>
  write(ctx, draft, { ...draft, attempts: draft.attempts + 1 });

export const waitForAnother = (ctx: Ctx, draft: Draft, last_error: SendFailure): Promise<Draft> =>
  write(ctx, draft, { ...offWire(draft), last_error });

/** The server has it. Sent drafts are in no list. */
export async function succeed(ctx: Ctx, draft: Draft): Promise<Draft> {
  const { now, table } = ctx;
  const sent: Draft = {
    ...offWire(draft),
    ...keys.sentDraft(draft.user_id, draft.id),
    status: 'sent',
    sent_at: now.toISOString(),
    last_error: null,
    updated_at: nextMoment(draft, now),
    expires_epoch: epochAfter(now, KEPT.sent),
  };
  await table.transact([{ put: sent }, { delete: keyOf(draft), when: asItWas(draft) }]);
  return sent;
}

/** Its user is told. `unsure`: it may have been delivered, so it is looked for before it is sent again. */
export async function fail(
  ctx: Ctx,
  draft: Draft,
  job_id: string,
  last_error: SendFailure,
  unsure = false,
): Promise<void> {
  const { user, account } = ctx.caller;
  const { sending_id: _, ...rest } = offWire(draft);
  const after: Draft = {
    ...rest,
    ...{ status: 'failed', send_at: null, last_error },
    ...(unsure || draft.unsure ? { unsure: true } : {}),
  };
  const { id, user_id, subject } = draft;
  const told = newNotification(
    {
      ...{ user_id, event: 'draft_failed', prompting_user_id: null },
      payload: { id, record_type: 'draft', subject, last_error },
    },
    ctx.now,
  );
  await commit(ctx, {
    writes: [
      draftWrite(draft, changedDraft(draft, after, ctx.now)),
      ...(draft.answered ? [{ delete: keys.pendingDraft(user_id, id) }] : []),
      notify(told),
      complete(job_id),
    ],
    jobs: sendingJobs(account.id, [told], [user], ctx.now),
  });
}

/** Nobody can send it as its user any more: it waits as a draft. */
export async function giveBack(ctx: Pick<Ctx, 'table' | 'now'>, draft: Draft, job: Job): Promise<void> {
  const { sending_id: _, ...rest } = offWire(draft);
  const unsure = draft.on_wire ? { unsure: true as const } : {};
  const after: Draft = { ...rest, ...unsure, status: 'draft', send_at: null };
  await ctx.table.transact([draftWrite(draft, changedDraft(draft, after, ctx.now)), complete(job.id)]);
}
