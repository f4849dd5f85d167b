import { requireMailboxEdit } from '#shared/domain/calendar/calendars/policy.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import type { Mailbox } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { requireMailbox } from '#shared/domain/mail/mailboxes/policy.ts';
import { syncJob } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { commit, together } from '#shared/domain/platform/jobs/commit.ts';
import { ApiError } from '#shared/errors.ts';
import { keys } from '#shared/table/keys.ts';
import { update, type Write } from '#shared/table/table.ts';
import type { ServerCalendar } from '../calendars/calendar.ts';

/**
 * Reads the calendars of a mailbox now; with `full` all of their events are compared. 403 with view access, 422
 * `mailbox_locked`. A mailbox whose calendars are not followed stays as it is.
 */
export async function beginReading(ctx: CallerContext, id: string, full: boolean): Promise<Mailbox> {
  const mailbox = await requireMailbox(ctx, id);
  requireMailboxEdit(ctx.caller, id);
  if (mailbox.status === 'locked') throw new ApiError('mailbox_locked');
  if (!mailbox.calendar_sync || !mailbox.calendar_server) return mailbox;
  const forgets = (calendar: string): Write =>
    update<ServerCalendar>(keys.calendar(mailbox.account_id, calendar), { remove: ['sync_token'] });
  const writes = full ? (mailbox.calendar_ids ?? []).map(forgets) : [];
  await commit(ctx, together({ writes, jobs: [syncJob(mailbox, ctx.now)] }));
  return mailbox;
}
