import { asOfNow, type Context } from '#shared/context.ts';
import type { Followed, ServerCalendar } from '#shared/domain/calendar/calendars/calendar.ts';
import { dueFollow, type FollowJobBody } from '#shared/domain/calendar/calendars/followed/job.ts';
import type { Failure } from '#shared/domain/mail/mailboxes/mailbox.ts';
import { keys } from '#shared/table/keys.ts';
import { update, type Write } from '#shared/table/table.ts';

/** What people see of a calendar that they follow, and when it is read next. */

const HOUR = 3_600_000;
const EVERY = 4 * HOUR;
const LONGEST = 24 * HOUR;

export type FollowedCalendar = ServerCalendar & { follow: Followed; id: string };

export function stateAfter(
  follow: Followed,
  last_error: Failure | null,
  failed: boolean,
  now: Date,
): Followed {
  const failures = failed ? follow.failures + 1 : 0;
  const wait = failures === 0 ? EVERY : Math.min(LONGEST, HOUR * 2 ** (failures - 1));
  return { ...follow, last_error, failures, next_at: new Date(now.getTime() + wait).toISOString() };
}

export function planned(
  ctx: Context,
  body: FollowJobBody,
  calendar: FollowedCalendar,
  follow: Followed,
): Write[] {
  const { now } = asOfNow(ctx);
  const key = keys.calendar(body.account_id, body.calendar_id);
  return [
    update<ServerCalendar>(key, { set: { follow }, when: { follow: calendar.follow } }),
    dueFollow(body, new Date(follow.next_at as string), now),
  ];
}
