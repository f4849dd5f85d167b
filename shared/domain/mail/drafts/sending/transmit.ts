import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { Throttled } from '#shared/domain/mail/servers/failures.ts';
import type { MailTransport, ReachesMailServers } from '#shared/domain/mail/servers/server.ts';
import type { Job } from '#shared/domain/platform/jobs/job.ts';
import { describeError, getLogger } from '#shared/log.ts';
import type { Bucket } from '#shared/providers/files/bucket.ts';
import { keys } from '#shared/table/keys.ts';
import { at, ConditionFailed } from '#shared/table/table.ts';
import { tryUpdate } from '#shared/table/try-update.ts';
import { recipientsIn } from '../checks.ts';
import type { Draft, SendFailure } from '../draft.ts';
import { type Failed, knownFailure, notMade, unknownDelivery } from './failures.ts';
import { rawMail, senderOf } from './mime.ts';
import { atTransport, isAmongSent } from './servers.ts';
import { fail, goOnWire, lookAgain, succeed, waitForAnother } from './transitions.ts';

/** Gives a mail to its server, at most once. */

type Ctx = CallerContext<ReachesMailServers>;

interface Sending {
  draft: Draft;
  mailbox: Mailbox;
  job: Job;
}

const MOST_ATTEMPTS = 5;

/** Of the mailbox, as people see it there. */
async function note(
  ctx: Ctx,
  { account_id, id, mail_server }: Mailbox,
  set: Pick<Mailbox, 'sending_error' | 'sending_after'>,
): Promise<void> {
  if (!mail_server) return;
  await tryUpdate<Mailbox>(ctx.table, keys.mailbox(account_id, id), {
    set,
    when: { mail_server: at('smtp', mail_server.smtp) },
  });
}

/** Locks nothing: the server that is read may take the password. */
const noteRefused = (ctx: Ctx, mailbox: Mailbox, { message }: SendFailure) =>
  note(ctx, mailbox, { sending_error: { code: 'sending_refused', message } });

/** Other drafts of the mailbox wait too, twice as long after each attempt of this one. */
const noteThrottled = (
  ctx: Ctx,
  { mailbox, draft }: Sending,
  sending_error: SendFailure,
  { seconds }: Throttled,
) =>
  note(ctx, mailbox, {
    sending_error,
    sending_after: new Date(ctx.now.getTime() + seconds * 1_000 * 2 ** (draft.attempts - 1)).toISOString(),
  });

/** Throws for another try, unless this one was the last. */
async function failed(
  ctx: Ctx,
  { draft, mailbox, job }: Sending,
  { failure, final }: Failed,
  error: unknown,
): Promise<void> {
  getLogger().warn('draft not sent', { draft_id: draft.id, code: failure.code, error: describeError(error) });
  if (failure.code === 'authentication_failed') await noteRefused(ctx, mailbox, failure);
  if (error instanceof Throttled) await noteThrottled(ctx, { draft, mailbox, job }, failure, error);
  if (final || draft.attempts >= MOST_ATTEMPTS) return fail(ctx, draft, job.id, failure);
  await waitForAnother(ctx, draft, failure);
  throw error;
}

/** Only the folder of sent mail tells. Where it does not, the mail is not sent again. */
async function settleUnknown(ctx: Ctx, sending: Sending): Promise<Draft | undefined> {
  const { draft, mailbox, job } = sending;
  let found = false;
  try {
    found = await isAmongSent(ctx, mailbox, draft.rfc_id as string);
  } catch (error) {
    getLogger().warn('sent mail not read', { draft_id: draft.id, error: describeError(error) });
    if (draft.attempts < MOST_ATTEMPTS) {
      await lookAgain(ctx, draft);
      throw error;
    }
  }
  if (found) return succeed(ctx, draft);
  await fail(ctx, draft, job.id, unknownDelivery, true);
  return undefined;
}

async function give(
  ctx: Ctx,
  sending: Sending,
  transport: MailTransport,
  raw: Uint8Array,
): Promise<Draft | undefined> {
  const { draft, mailbox } = sending;
  const envelope = { from: senderOf(draft, mailbox), to: recipientsIn(draft) };
  const onWire = await goOnWire(ctx, draft);
  const now = { ...sending, draft: onWire };
  try {
    await transport.send(envelope, raw);
  } catch (error) {
    const known = knownFailure(error);
    if (!known) return settleUnknown({ ...ctx, now: ctx.clock() }, now);
    await failed({ ...ctx, now: ctx.clock() }, now, known, error);
    return undefined;
  }
  return succeed({ ...ctx, now: ctx.clock() }, onWire);
}

/** The sent draft; undefined when it failed. Throws when another try may succeed. */
export async function transmit(ctx: Ctx, bucket: () => Bucket, sending: Sending): Promise<Draft | undefined> {
  const { draft, mailbox } = sending;
  if (draft.on_wire) return settleUnknown(ctx, sending);
  let given = false;
  try {
    if (draft.unsure && (await isAmongSent(ctx, mailbox, draft.rfc_id as string)))
      return await succeed(ctx, draft);
    const raw = await rawMail(bucket, draft, mailbox);
    return await atTransport(ctx, mailbox, (transport) => {
      given = true;
      return give(ctx, sending, transport, raw);
    });
  } catch (error) {
    if (given || error instanceof ConditionFailed) throw error;
    await failed(ctx, sending, knownFailure(error) ?? notMade, error);
    return undefined;
  }
}
