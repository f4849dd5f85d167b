import type { OwnedCalendar } from '#shared/domain/calendar/calendars/policy.ts';
import { requireWritableCalendar } from '#shared/domain/calendar/calendars/policy.ts';
import { commitPlan, type Plan } from '#shared/domain/collaboration/records/plan.ts';
import type { CallerContext } from '#shared/domain/identity/caller.ts';
import { isOwner } from '#shared/domain/mail/mailboxes/policy.ts';
import type { KeepsLists } from '#shared/domain/platform/lists/keeper.ts';
import { keys } from '#shared/table/keys.ts';
import { resourceUrl } from './at-server.ts';
import type { CalendarEvent, EventDraft } from './event.ts';
import { newEventId } from './occurrence-id.ts';
import { checkedSeries } from './occurrences.ts';
import { requirePrivacyRight } from './policy.ts';
import { withSent } from './sent.ts';
import { eventChange } from './writes.ts';

/** In the calendar, without anything that was sent. Who creates it there is its organizer. */
function emptyEvent({ caller, now }: CallerContext, { calendar, mailbox }: OwnedCalendar): CalendarEvent {
  const { id, handle } = newEventId();
  const own = mailbox && isOwner(caller, mailbox);
  const address = own ? mailbox.email_address : caller.user.email_address;
  return {
    ...keys.record('calendar_events', id),
    ...{ id, handle },
    ...(calendar.url === undefined ? {} : { at_server: resourceUrl(calendar.url, id) }),
    account_id: caller.account.id,
    user_id: calendar.user_id,
    calendar_id: calendar.id,
    mailbox_id: calendar.mailbox_id,
    name: '',
    description_html: null,
    location: null,
    conference_url: null,
    starts_at: '',
    ends_at: '',
    all_day: false,
    starts_on: null,
    ends_on: null,
    time_zone: null,
    status: 'confirmed',
    private: false,
    organizer_email_address: address.toLowerCase(),
    attendees: [],
    responses: {},
    recurrence: null,
    recurring_event_id: null,
    ical_uid: id,
    transcript: null,
    visibility: 'linked',
    shares: {},
    created_at: now.toISOString(),
    updated_at: null,
  };
}

/** `begun` gives what no request sends, `place` a calendar that is writable for who calls. 404 for a calendar that the caller does not see, 403 for one that the caller may only look at, 422 when read-only. */
export async function planEvent(
  ctx: CallerContext,
  { calendar_id, ...draft }: EventDraft,
  begun: (empty: CalendarEvent) => CalendarEvent = (empty) => empty,
  place?: OwnedCalendar,
): Promise<Plan<CalendarEvent>> {
  const empty = begun(emptyEvent(ctx, place ?? (await requireWritableCalendar(ctx, calendar_id))));
  requirePrivacyRight(ctx.caller, empty, draft.private);
  const sent = await withSent(ctx, empty, { ...draft, attendees: draft.attendees ?? [] }, undefined);
  const event = checkedSeries(sent);
  return {
    before: undefined,
    after: event,
    change: (after = event) => eventChange(ctx, { stored: undefined, series: undefined }, after),
  };
}

/** As in `planEvent`. */
export async function createEvent(ctx: CallerContext<KeepsLists>, draft: EventDraft): Promise<CalendarEvent> {
  return (await commitPlan(ctx, () => planEvent(ctx, draft))).after;
}
