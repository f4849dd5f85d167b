import type { Context } from '#shared/context.ts';
import { beginPlanned, type DueWork, dueWrite } from '#shared/domain/collaboration/due/due.ts';
import { type NewJob, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { Mailbox } from './mailbox.ts';

/** When the calendars of a mailbox are read: one job for each mailbox, and a time for its next one. */

export interface SyncJobBody extends Record<string, unknown> {
  account_id: string;
  mailbox_id: string;
}

type Place = Pick<Mailbox, 'account_id' | 'id'>;

export function syncJob({ account_id, id }: Place, now: Date): NewJob {
  const body: SyncJobBody = { account_id, mailbox_id: id };
  return sharedJob('sync-calendars', body, { id: idFrom('sync calendars', id), now });
}

export type DueSync = DueWork & { account_id: string };

/** Lets the mailbox wait for its next reading. */
export function dueSync({ account_id, id }: Place, at: Date, now: Date): Write {
  const { put } = dueWrite('sync', { type: 'mailboxes', id }, at.getTime(), now);
  return { put: { ...put, account_id } };
}

/** Work that is due: nothing for a mailbox that was read since, or that is no longer followed. */
export async function beginSync(ctx: Context, due: DueWork): Promise<void> {
  const { account_id, record_id: id } = due as DueSync;
  const mailbox = await ctx.table.get<Mailbox>(keys.mailbox(account_id, id));
  const planned = mailbox?.calendar_sync ? mailbox.calendar_state?.next_at : null;
  await beginPlanned(ctx, due, { planned, job: () => syncJob({ account_id, id }, ctx.now) });
}
