import { asOfNow, type Context } from '#shared/context.ts';
import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import type { FollowJobBody } from '#shared/domain/calendar/calendars/followed/job.ts';
import { type Mailbox, readingStopped } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { endJob } from '#shared/domain/platform/jobs/end.ts';
import { complete, type Job } from '#shared/domain/platform/jobs/job.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import { planned, stateAfter } from './followed-state.ts';
import { endReading } from './outcome.ts';

/** Ends readings that stop every time: people see it, and they are tried again later. */

async function stopped(ctx: Context, { account_id, calendar_id }: FollowJobBody): Promise<Write[]> {
  const stored = await ctx.table.get<ServerCalendar>(keys.calendar(account_id, calendar_id));
  if (!stored?.follow) return [];
  const { follow } = stored;
  const after = stateAfter(follow, readingStopped, true, asOfNow(ctx).now);
  return planned(ctx, { account_id, calendar_id }, { ...stored, follow, id: calendar_id }, after);
}

export async function giveUpFollowed(ctx: Context, job: Job, body: FollowJobBody): Promise<void> {
  await endJob(ctx, job, { writes: await stopped(ctx, body), jobs: [] });
}

export interface MailboxBody {
  account_id: string;
  mailbox_id: string;
}

export async function giveUpCalendars(ctx: Context, job: Job, body: MailboxBody): Promise<void> {
  const mailbox = await ctx.table.get<Mailbox>(keys.mailbox(body.account_id, body.mailbox_id));
  if (mailbox?.calendar_server)
    await endReading(ctx, mailbox, job, { failure: readingStopped, failed: true });
  else await ctx.table.transact([complete(job.id)]);
}

/** A job of the queue that the sweep gives up. What is owed to a server is noted, and written with the next reading. */
export async function giveUpReading(ctx: Context, job: Job): Promise<void> {
  const { calendar_id, event_id } = job.body;
  if (calendar_id !== undefined) await giveUpFollowed(ctx, job, job.body as FollowJobBody);
  else if (event_id !== undefined) await ctx.table.transact([complete(job.id)]);
  else await giveUpCalendars(ctx, job, job.body as unknown as MailboxBody);
}
