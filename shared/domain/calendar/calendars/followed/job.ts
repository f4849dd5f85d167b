import type { Context } from '#shared/context.ts';
import { beginPlanned, type DueWork, dueWrite } from '#shared/domain/collaboration/due/due.ts';
import { type NewJob, sharedJob } from '#shared/domain/platform/jobs/job.ts';
import { idFrom } from '#shared/ids.ts';
import { keys } from '#shared/table/keys.ts';
import type { Write } from '#shared/table/table.ts';
import type { ServerCalendar } from '../calendar.ts';

/** When a followed calendar is read: one job for each calendar, and a time for its next one. */

export interface FollowJobBody extends Record<string, unknown> {
  account_id: string;
  calendar_id: string;
}

export function followJob({ account_id, calendar_id }: FollowJobBody, now: Date): NewJob {
  const body: FollowJobBody = { account_id, calendar_id };
  return sharedJob('sync-calendars', body, { id: idFrom('follow calendar', calendar_id), now });
}

type DueFollow = DueWork<'calendars'> & { account_id: string };

/** Lets the calendar wait for its next reading. */
export function dueFollow({ account_id, calendar_id }: FollowJobBody, at: Date, now: Date): Write {
  const { put } = dueWrite('follow', { type: 'calendars', id: calendar_id }, at.getTime(), now);
  return { put: { ...put, account_id } };
}

/** Work that is due: nothing for a calendar that was read since, or that is no longer followed. */
export async function beginFollowing(ctx: Context, due: DueFollow): Promise<void> {
  const { account_id, record_id: calendar_id } = due;
  const calendar = await ctx.table.get<ServerCalendar>(keys.calendar(account_id, calendar_id));
  const job = () => followJob({ account_id, calendar_id }, ctx.now);
  await beginPlanned(ctx, due, { planned: calendar?.follow?.next_at, job });
}
