import { reminders } from '#shared/composition/reminders.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { contextOf } from '#shared/context.ts';
import { doDueWork } from '#shared/domain/collaboration/due/run.ts';
import { purge } from '#shared/domain/collaboration/life/purge.ts';
import { mailDigest } from '#shared/domain/collaboration/notifications/mails/digest.ts';
import { forgetEnded } from '#shared/domain/collaboration/record-lists/forget.ts';
import { remind } from '#shared/domain/collaboration/reminders/deliver.ts';
import { beginErasing } from '#shared/domain/identity/erasing/job.ts';
import { beginSync } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { getServices } from '#shared/services.ts';

/**
 * Every minute: reminds users of tasks and events, mails digests, has calendars read, removes records that rested for
 * their time, forgets what ended long ago, and has accounts erased that were closed 30 days ago.
 */
export async function handler(): Promise<void> {
  const ctx = contextOf(getServices(), { ...visibility, ...reminders });
  try {
    await doDueWork(ctx, { remind, forget: forgetEnded, purge, digest: mailDigest, sync: beginSync });
  } finally {
    await beginErasing(ctx);
  }
}
