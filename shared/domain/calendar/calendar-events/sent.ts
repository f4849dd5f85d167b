import { sentAmong } from '#shared/domain/collaboration/records/sent.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { findUsers } from '#shared/domain/identity/users/store.ts';
import { invitedIn } from './attendees.ts';
import type { CalendarEvent, EventChanges } from './event.ts';
import { normalLine } from './recurrence.ts';
import { requireRoomForContent } from './room.ts';
import { sendsTimes, timesAfter } from './times.ts';

/** Stores the fields that requests send of an event. */

const plainFields = ['name', 'description_html', 'location', 'conference_url', 'private'] as const;

/** The time zone of the calendar: its owner's. */
async function calendarZone({ table, caller }: CallerContext, { user_id }: CalendarEvent): Promise<string> {
  if (user_id === caller.user.id) return caller.user.time_zone;
  const [owner] = await findUsers(table, caller.account.id, [user_id]);
  return owner?.time_zone ?? caller.user.time_zone;
}

function recurrenceIn(sent: string[] | null): string[] | null {
  return sent === null || sent.length === 0 ? null : sent.map(normalLine);
}

/** `times` is undefined when they are not known yet. 400 for times that contradict one another, and for too much. */
export async function withSent(
  ctx: CallerContext,
  event: CalendarEvent,
  sent: EventChanges,
  times: CalendarEvent | undefined,
): Promise<CalendarEvent> {
  const [zone, invited] = await Promise.all([
    sendsTimes(sent) ? calendarZone(ctx, event) : '',
    sent.attendees ? invitedIn(ctx.table, event, sent.attendees) : {},
  ]);
  const after = {
    ...event,
    ...sentAmong(plainFields, sent),
    ...(sendsTimes(sent) ? timesAfter(sent, times, zone) : {}),
    ...invited,
    ...(sent.recurrence === undefined ? {} : { recurrence: recurrenceIn(sent.recurrence) }),
  };
  requireRoomForContent(event, after, sent);
  return after;
}
