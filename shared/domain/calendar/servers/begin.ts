import { requireMailboxEdit } from '#shared/domain/calendar/calendars/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { mailReading } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { syncJob } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { type Change, commit, noChange, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { update, type Write } from '#shared/table/table.ts';
import type { ServerCalendar } from '../calendars/calendar.ts';

/** Failures after which a server is left alone until the next reading is due: who asks again at once may be locked out. */
const WAITED_FOR: ReadonlySet<string> = new Set([
  'authentication_failed',
  'consent_revoked',
  'credentials_refused',
  'provider_rate_limited',
]);

type State = Mailbox['mail_state'] | Mailbox['calendar_state'];

/** Without its job while the server is to be left alone. */
function whenFree(change: Change, state: State, now: Date): Change {
  const { last_error = null, next_at = null } = state ?? {};
  const waits = last_error !== null && WAITED_FOR.has(last_error.code) && next_at !== null;
  return waits && Date.parse(next_at) > now.getTime() ? { ...change, jobs: [] } : change;
}

/** Of a mailbox whose calendars are followed. */
function calendarReading(mailbox: Mailbox, full: boolean, now: Date): Change {
  if (!mailbox.calendar_sync || !mailbox.calendar_server) return noChange;
  const forgets = (calendar: string): Write =>
    update<ServerCalendar>(keys.calendar(mailbox.account_id, calendar), { remove: ['sync_token'] });
  const writes = full ? (mailbox.calendar_ids ?? []).map(forgets) : [];
  return { writes, jobs: [syncJob(mailbox, now)] };
}

/**
 * Reads the mail and the calendars of a mailbox now; with `full` all of it is compared. A server that refused the login or
 * asked to wait is read when it is due. 403 with view access, 422 `mailbox_locked`. A mailbox without servers stays as it is.
 */
export async function beginReading(ctx: CallerContext, id: string, full: boolean): Promise<Mailbox> {
  const mailbox = await requireMailbox(ctx, id);
  requireMailboxEdit(ctx.caller, id);
  if (mailbox.status === 'locked') throw new ApiError('mailbox_locked');
  const { now } = ctx;
  const calendars = whenFree(calendarReading(mailbox, full, now), mailbox.calendar_state, now);
  const mail = whenFree(mailReading(mailbox, full, now), mailbox.mail_state, now);
  await commit(ctx, together(calendars, mail));
  return mailbox;
}
