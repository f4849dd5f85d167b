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

/** Of a mailbox whose calendars are followed. */
function calendarReading(mailbox: Mailbox, full: boolean, now: Date): Change {
  if (!mailbox.calendar_sync || !mailbox.calendar_server) return noChange;
  const forgets = (calendar: string): Write =>
    update<ServerCalendar>(keys.calendar(mailbox.account_id, calendar), { remove: ['sync_token'] });
  const writes = full ? (mailbox.calendar_ids ?? []).map(forgets) : [];
  return { writes, jobs: [syncJob(mailbox, now)] };
}

/**
 * Reads the mail and the calendars of a mailbox now; with `full` all of it is compared. 403 with view access, 422
 * `mailbox_locked`. A mailbox without servers stays as it is.
 */
export async function beginReading(ctx: CallerContext, id: string, full: boolean): Promise<Mailbox> {
  const mailbox = await requireMailbox(ctx, id);
  requireMailboxEdit(ctx.caller, id);
  if (mailbox.status === 'locked') throw new ApiError('mailbox_locked');
  const { now } = ctx;
  await commit(ctx, together(calendarReading(mailbox, full, now), mailReading(mailbox, full, now)));
  return mailbox;
}
