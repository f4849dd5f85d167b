import { reminders } from '#shared/composition/reminders.ts';
import { visibility } from '#shared/composition/visibility.ts';
import { contextOf } from '#shared/context.ts';
import { doDueWork } from '#shared/domain/collaboration/due/run.ts';
import { purge } from '#shared/domain/collaboration/life/purge.ts';
import { forgetEnded } from '#shared/domain/collaboration/record-lists/forget.ts';
import { remind } from '#shared/domain/collaboration/reminders/deliver.ts';
import { beginSync } from '#shared/domain/mail/mailboxes/sync-job.ts';
import { getServices } from '#shared/services.ts';

/** Every minute: reminds users of tasks and events, removes records that rested for their time, forgets what
 * ended long ago, and has calendars read. */
export async function handler(): Promise<void> {
  const ctx = contextOf(getServices(), { ...visibility, ...reminders });
  await doDueWork(ctx, { remind, forget: forgetEnded, purge, sync: beginSync });
}
