import type { ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import type { FollowJobBody } from '#shared/domain/calendar/calendars/followed/job.ts';
import type { ReachesCalendarFiles } from '#shared/domain/calendar/servers/file.ts';
import { NoCalendarServer, ServerRefused } from '#shared/domain/calendar/servers/server.ts';
import { asUser } from '#shared/domain/exchange/as-user.ts';
import type { Failure } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { endJob } from '#shared/domain/platform/jobs/end.ts';
import { describeError, getLogger } from '#shared/log.ts';
import { keys } from '#shared/table/keys.ts';
import { mustExist, type Write } from '#shared/table/table.ts';
import { type FollowedCalendar, planned, stateAfter } from './followed-state.ts';
import { giveUpFollowed } from './give-up.ts';
import { unreadable } from './outcome.ts';
import { readCalendar, removeAll } from './read-calendar.ts';
import { fileAt } from './source.ts';
import { type Reading, ServerFailed, type SyncContext } from './syncing.ts';
import { freeReading, hasStopped, takeReading } from './turn.ts';

/** Reads the calendars that users follow from their addresses (docs/decisions/0076-calendars-from-addresses.md). */

type FollowContext = SyncContext<ReachesCalendarFiles>;

/** What people read. What stood there last stays. Undefined for a failure of the service. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof NoCalendarServer)
    return { code: 'server_gone', message: 'There is no calendar at the address any more.' };
  if (error instanceof ServerRefused)
    return { code: 'server_refused', message: `The calendar cannot be read: ${error.message}.` };
  if (error instanceof ServerFailed)
    return {
      code: 'server_unavailable',
      message: 'The server of the calendar does not answer as it should.',
    };
  return undefined;
}

/** `more` when the time is up; a failure is noted. */
async function attempt(reading: Reading, calendar: FollowedCalendar): Promise<'more' | Failure | null> {
  try {
    return (await readCalendar(reading, calendar)) === 'more' ? 'more' : null;
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    getLogger().warn('calendar not read', { calendar_id: calendar.id, error: describeError(error) });
    return failure;
  }
}

async function read(ctx: FollowContext, body: FollowJobBody, calendar: FollowedCalendar, reading: Reading) {
  const key = keys.calendar(body.account_id, body.calendar_id);
  const failure = calendar.sync_enabled === false ? null : await attempt(reading, calendar);
  if (failure === 'more') return 'more';
  const after = (await ctx.table.get<ServerCalendar>(key)) ?? calendar;
  const shown = failure ?? unreadable([after]);
  return planned(ctx, body, calendar, stateAfter(calendar.follow, shown, failure !== null, ctx.clock()));
}

/** What the run writes at its end; `more` when the time is up. */
async function run(
  ctx: FollowContext,
  body: FollowJobBody,
  calendar: FollowedCalendar,
  timeIsUp: () => boolean,
): Promise<'more' | Write[]> {
  const owner = await asUser(ctx, { account_id: body.account_id, user_id: calendar.follow.user_id });
  // Who comes back finds the calendar read again.
  if (!owner) return planned(ctx, body, calendar, stateAfter(calendar.follow, null, false, ctx.clock()));
  const source = fileAt(ctx.ports.calendar_files(ctx.config), calendar.served.url);
  const reading = { ctx: owner, source, timeIsUp };
  if (!calendar.follow.ended) return read(ctx, body, calendar, reading);
  if (!(await removeAll(reading, calendar))) return 'more';
  return [{ delete: keys.calendar(body.account_id, body.calendar_id), when: mustExist }];
}

/** One worker at a time for each calendar. `more` when the time was up: another message continues. */
export async function syncFollowed(
  ctx: FollowContext,
  body: FollowJobBody & { job_id: string },
  timeIsUp: () => boolean,
): Promise<'done' | 'more'> {
  const job = await takeReading(ctx, body.job_id);
  if (!job) return 'done';
  const { account_id, calendar_id } = body;
  try {
    if (hasStopped(job)) {
      await giveUpFollowed(ctx, job, body);
      return 'done';
    }
    const stored = await ctx.table.get<ServerCalendar>(keys.calendar(account_id, calendar_id));
    const writes = stored?.follow
      ? await run(
          ctx,
          { account_id, calendar_id },
          { ...stored, id: calendar_id } as FollowedCalendar,
          timeIsUp,
        )
      : [];
    if (writes === 'more') {
      await freeReading(ctx, job);
      return 'more';
    }
    await endJob(ctx, job, { writes, jobs: [] });
  } catch (error) {
    await freeReading(ctx, job);
    throw error;
  }
  return 'done';
}
