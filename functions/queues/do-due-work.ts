import { reminders } from '#shared/composition/reminders.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { contextOf } from '#shared/context.ts';
import { beginMorning } from '#shared/domain/assistant/daily-briefings/schedule.ts';
import { beginFollowing } from '#shared/domain/calendar/calendars/followed/job.ts';
import { doDueWork } from '#shared/domain/collaboration/due/run.ts';
import { purge } from '#shared/domain/collaboration/life/purge.ts';
import { mailDigest } from '#shared/domain/collaboration/notifications/mails/digest.ts';
import { forgetEnded } from '#shared/domain/collaboration/record-lists/forget.ts';
import { remind } from '#shared/domain/collaboration/reminders/deliver.ts';
import { beginErasing } from '#shared/domain/identity/erasing/job.ts';
import { beginSending } from '#shared/domain/mail/drafts/due.ts';
import { beginMailSync } from '#shared/domain/mail/mailboxes/mail-sync-job.ts';
import { beginSync } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { beginDiscarding } from '#shared/domain/mail/threads/discard.ts';
import { getServices } from '#shared/services.ts';

/**
 * Every minute: reminds users of tasks and events, mails digests, has calendars and mail read, drafts sent and daily
 * briefings written, removes records that rested for their time and mail that left, forgets what ended long ago, and has
 * accounts erased that were closed 30 days ago.
 */
export async function handler(): Promise<void> {
  const ctx = contextOf(getServices(), { ...visibility, ...reminders });
  try {
    await doDueWork(ctx, {
      remind,
      forget: forgetEnded,
      purge,
      digest: mailDigest,
      sync: beginSync,
      follow: beginFollowing,
      read: beginMailSync,
      send: beginSending,
      discard: beginDiscarding,
      brief: beginMorning,
    });
  } finally {
    await beginErasing(ctx);
  }
}
