import { clockIn } from '#shared/days.ts';
import type { CalendarEvent } from '#shared/domain/calendar/calendar-events/event.ts';
import { listCalendars } from '#shared/domain/calendar/calendars/store.ts';
import type { Plan } from '#shared/domain/collaboration/records/plan.ts';
import { htmlToText } from '#shared/domain/platform/html/text.ts';
import type { ActionContext } from './action.ts';
import { plainField, type ShownField, shownField } from './shown.ts';

function clockTime(moment: string, time_zone: string): string {
  const time = clockIn(time_zone, new Date(moment)).toPlainDateTime();
  return `${time.toString({ smallestUnit: 'minute' }).replace('T', ' ')} (${time_zone})`;
}

/** The fields of events as people read them: times by the clock of the user. */
export async function eventFields(
  ctx: ActionContext,
  { after: { mailbox_id } }: Plan<CalendarEvent>,
): Promise<ShownField<CalendarEvent>[]> {
  const { time_zone } = ctx.caller.user;
  const calendars = new Map(
    (await listCalendars(ctx, mailbox_id ?? undefined)).map(({ id, name }) => [id, name]),
  );
  return [
    plainField('name'),
    shownField('calendar_id', ({ calendar_id }) => calendars.get(calendar_id) ?? null),
    shownField('starts_at', ({ starts_at, starts_on }) => starts_on ?? clockTime(starts_at, time_zone)),
    shownField('ends_at', ({ ends_at, ends_on }) => ends_on ?? clockTime(ends_at, time_zone)),
    plainField('all_day'),
    shownField('recurrence', ({ recurrence }) => recurrence?.join(', ') ?? null),
    plainField('location'),
    plainField('conference_url'),
    shownField('description_html', ({ description_html: html }) => (html === null ? null : htmlToText(html))),
    shownField(
      'attendees',
      ({ attendees }) => attendees.map(({ email_address }) => email_address).join(', ') || null,
    ),
    plainField('private'),
  ];
}
