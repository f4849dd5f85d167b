import type { Context } from '#shared/context.ts';
import { beginPlanned, type DueWork, dueWrite } from '#shared/domain/collaboration/due/due.ts';
import { type Change, noChange } from '#shared/domain/platform/jobs/commit.ts';
import { type NewJob, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, update, type Write } from '#shared/table/table.ts';
import type { Mailbox } from './mailbox.ts';
import type { DueSync, SyncJobBody } from './sync-job.ts';

/** When the mail of a mailbox is read: one job for each mailbox, and a time for its next one. */

type Place = Pick<Mailbox, 'account_id' | 'id'>;

const mailJobId = (mailbox_id: string) => idFrom('sync mailbox', mailbox_id);

export function mailSyncJob({ account_id, id }: Place, now: Date): NewJob {
  const body: SyncJobBody = { account_id, mailbox_id: id };
  return sharedJob('sync-mailboxes', body, { id: mailJobId(id), now });
}

/** Lets the mailbox wait for its next reading. */
export function dueMailSync({ account_id, id }: Place, at: Date, now: Date): Write {
  const { put } = dueWrite('read', { type: 'mailboxes', id }, at.getTime(), now);
  return { put: { ...put, account_id } };
}

/** Reads the mail of a mailbox now; with `full` all of it is compared with the server. Nothing without a server. */
export function mailReading(mailbox: Mailbox, full: boolean, now: Date): Change {
  if (!mailbox.mail_server) return noChange;
  const compares = update<Mailbox>(keys.mailbox(mailbox.account_id, mailbox.id), {
    set: { mail_compare_after: now.toISOString() },
    when: mustExist,
  });
  return { writes: full ? [compares] : [], jobs: [mailSyncJob(mailbox, now)] };
}

/** Work that is due: nothing for a mailbox that was read since, that is locked, or that is no longer connected. */
export async function beginMailSync(ctx: Context, due: DueWork): Promise<void> {
  const { account_id, record_id: id } = due as DueSync;
  const mailbox = await ctx.table.get<Mailbox>(keys.mailbox(account_id, id));
  const isRead = mailbox?.mail_server && mailbox.status !== 'locked';
  const planned = isRead ? mailbox.mail_state?.next_at : null;
  await beginPlanned(ctx, due, { planned, job: () => mailSyncJob({ account_id, id }, ctx.now) });
}
